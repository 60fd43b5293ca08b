import type { Caller } from '../../kernel/call.ts'
import type { ToolFinder } from '../../kernel/context/tool-finder.ts'
import type { Capability } from './capability.ts'

/** `ctx.tools`: searches all tools of the caller. */
export function toolsCapability(finderFor: (caller: Caller) => ToolFinder): Capability<'tools'> {
  return ({ caller }) => finderFor(caller)
}
