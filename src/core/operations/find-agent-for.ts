import type { Caller } from '../kernel/call.ts'
import { agentFor } from './agent-reach.ts'
import { agentNotFound } from '../rules/agent-not-found.ts'
import type { TenantRules } from '../rules/tenant-rules.ts'

/**
 * The agent that a change is for. A caller that is bound to an agent means that one, also when it
 * names none: never the whole tenant, or it could give itself what its agent lacks. Throws not_found
 * for an agent that the tenant does not have.
 */
export async function findAgentFor(
  rules: Pick<TenantRules, 'hasAgent'>,
  caller: Caller,
  asked: string | undefined,
): Promise<string | undefined> {
  const agent = agentFor(caller, asked)
  if (agent === undefined || (await rules.hasAgent(caller.tenant, agent))) return agent
  throw agentNotFound(agent)
}
