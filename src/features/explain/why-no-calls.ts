import type { Caller } from '../../core/kernel/call.ts'
import { holds } from '../../core/operations/require-permission.ts'

/**
 * Why a caller sees and calls nothing, regardless of the layers; `isOver` if they had more
 * permissions before.
 */
export function whyNoCalls(
  caller: Pick<Caller, 'permissions'>,
  isOver?: string,
): { noCalls?: string } {
  if (holds(caller, 'tools.call')) return {}
  const lacks = 'the caller lacks the permission tools.call, which every call needs'
  return { noCalls: isOver === undefined ? lacks : `${isOver}, and calls nothing` }
}
