import type { Caller } from '../../call.ts'
import type { ToolFinder } from '../../search/tool-finder.ts'
import type { Capability } from './capability.ts'

/** `ctx.tools`: search over all tools of the caller. */
export function toolsCapability(finderFor: (caller: Caller) => ToolFinder): Capability<'tools'> {
  return ({ caller }) => finderFor(caller)
}
