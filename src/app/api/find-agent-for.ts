import type { Caller } from '../../core/kernel/call.ts'
import { agentFor } from '../../core/operations/agent-reach.ts'
import { agentNotFound } from '../../core/rules/agent-not-found.ts'
import type { TenantViews } from '../governance/tenant-views.ts'

/**
 * The agent that a change is for. A caller that is bound to one reaches its own alone: without a
 * word that one is meant, never the whole tenant, or it could hand itself what its agent lacks.
 */
export async function findAgentFor(
  caller: Caller,
  asked: string | undefined,
  views: TenantViews,
): Promise<string | undefined> {
  const agent = agentFor(caller, asked)
  if (agent === undefined) return undefined
  const view = await views.find(caller.tenant)
  if ((await view?.agent(agent)) !== undefined) return agent
  throw agentNotFound(agent)
}
