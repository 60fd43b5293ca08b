import type { Caller, Principal } from '../../core/call.ts'
import { asAgent } from '../../core/caller.ts'
import { agentNotFound } from '../governance/agent-not-found.ts'
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

/** The same for what may be left of an agent that is gone. */
export function agentFor(caller: Caller, asked: string | undefined): string | undefined {
  return asAgent(caller, { agent: asked }).agent
}

/** May this caller know of what belongs to that agent, or to none? */
export function isWithin(caller: Caller, agent: string | undefined): boolean {
  return caller.agent === undefined || caller.agent === agent
}

/** Something that happened: for which agent, and who did it. */
interface Deed {
  agent?: string | undefined
  principal: Principal
}

/**
 * May this caller know of what somebody did? Whoever is bound to an agent knows of that agent alone,
 * whatever they hold. What a bound key did itself is its agent's, also where others were sent out.
 */
export function isInReach(caller: Caller, { agent, principal }: Deed): boolean {
  if (isWithin(caller, agent)) return true
  return caller.principal.kind === 'key' && isSame(caller.principal, principal)
}

function isSame(left: Principal, right: Principal): boolean {
  return left.kind === right.kind && left.id === right.id
}
