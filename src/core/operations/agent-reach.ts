import type { Caller, Principal } from '../kernel/call.ts'
import { asAgent, isSamePrincipal } from '../kernel/caller.ts'

/**
 * The requested agent, which may have been deleted. A caller bound to an agent reaches only that
 * one, even if it names none.
 */
export function agentFor(caller: Caller, asked: string | undefined): string | undefined {
  return asAgent(caller, { agent: asked }).agent
}

/** True if this caller may see things of that agent, or of none. */
export function isWithin(caller: Caller, agent: string | undefined): boolean {
  return caller.agent === undefined || caller.agent === agent
}

/** An action: its agent, and who did it. */
interface Deed {
  agent?: string | undefined
  principal: Principal
}

/**
 * True if this caller may see the action. A caller bound to an agent sees only that agent's
 * actions, whatever its permissions. Actions of the bound key itself count as its agent's, even if
 * it started other agents.
 */
export function isInReach(caller: Caller, { agent, principal }: Deed): boolean {
  if (isWithin(caller, agent)) return true
  return caller.principal.kind === 'key' && isSamePrincipal(caller.principal, principal)
}
