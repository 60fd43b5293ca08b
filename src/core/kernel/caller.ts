import type { Caller, Principal } from './call.ts'
import { ToolError } from './errors.ts'
import type { Runtime } from './runtime.ts'

/**
 * The caller as it would be if this agent of its tenant called, in another runtime, or under a skill
 * of the agent. A caller that is bound to an agent, like a key made for one, can't become another,
 * and one that works under a skill can't lay it off.
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
    throw new ToolError('forbidden', `The skill ${caller.skill} is in force`, {
      fix: 'Leave skill out.',
    })
  }
  if (agent === caller.agent && skill === caller.skill && as.runtime === undefined) return caller
  const acting = { ...caller, agent, runtime: as.runtime ?? caller.runtime }
  return skill === undefined ? acting : { ...acting, skill }
}

/** Are these the same principal? The one test of who owns something. */
export function isSamePrincipal(
  left: Principal | undefined,
  right: Principal | undefined,
): boolean {
  return left?.kind === right?.kind && left?.id === right?.id
}
