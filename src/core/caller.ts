import type { Caller } from './call.ts'
import { ToolError } from './errors.ts'
import type { Runtime } from './runtime.ts'

/**
 * The caller as it would be if this agent of its tenant called, or in another runtime. A caller that
 * is bound to an agent, like a key made for one, can't become another.
 */
export function asAgent(caller: Caller, as: { agent?: string; runtime?: Runtime }): Caller {
  const agent = as.agent ?? caller.agent
  if (caller.agent !== undefined && agent !== caller.agent) {
    throw new ToolError('forbidden', `This key is bound to the agent ${caller.agent}`, {
      fix: 'Leave agent out, or use a key that is not bound to one.',
    })
  }
  if (agent === caller.agent && as.runtime === undefined) return caller
  return { ...caller, agent, runtime: as.runtime ?? caller.runtime }
}
