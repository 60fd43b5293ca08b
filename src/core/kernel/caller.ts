import type { Caller, Principal } from './call.ts'
import { ToolError } from './errors.ts'
import type { Runtime } from './runtime.ts'

/**
 * The caller as this agent of its tenant, in another runtime, or with a skill of the agent. A
 * caller bound to an agent, such as a key created for one, can't switch to another, and a caller
 * with an active skill can't drop it.
 */
export function asAgent(
  caller: Caller,
  as: { agent?: string; runtime?: Runtime; skill?: string },
): Caller {
  const agent = as.agent ?? caller.agent
  if (caller.agent !== undefined && agent !== caller.agent) {
    throw new ToolError('forbidden', `This key or token is bound to the agent ${caller.agent}`, {
      fix: 'Leave agent out, or use a key that is not bound to one.',
    })
  }
  const skill = as.skill ?? caller.skill
  if (caller.skill !== undefined && skill !== caller.skill) {
    throw new ToolError('forbidden', `The skill ${caller.skill} is active`, {
      fix: 'Leave skill out.',
    })
  }
  if (agent === caller.agent && skill === caller.skill && as.runtime === undefined) return caller
  const acting = { ...caller, agent, runtime: as.runtime ?? caller.runtime }
  return skill === undefined ? acting : { ...acting, skill }
}

/** True for the same principal. Ownership is decided here and nowhere else. */
export function isSamePrincipal(
  left: Principal | undefined,
  right: Principal | undefined,
): boolean {
  return left?.kind === right?.kind && left?.id === right?.id
}
