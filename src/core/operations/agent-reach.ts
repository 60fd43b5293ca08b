import type { Caller, Principal } from '../kernel/call.ts'
import { asAgent, isSamePrincipal } from '../kernel/caller.ts'

/**
 * The agent that is meant, which may be gone by now. A caller that is bound to one reaches its own
 * alone, also where it names none.
 */
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
  return caller.principal.kind === 'key' && isSamePrincipal(caller.principal, principal)
}
