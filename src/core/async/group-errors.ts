import { ToolError } from '../kernel/errors.ts'

/** Foreign and missing groups are one answer. */
export function groupNotFound(groupId: string): ToolError {
  return new ToolError('not_found', `There is no group ${JSON.stringify(groupId.slice(0, 100))}`)
}

/** Why a call could not join: the group is sealed, or it is not there. */
export function cannotJoin(groupId: string, isThere: boolean): ToolError {
  if (!isThere) return groupNotFound(groupId)
  return new ToolError('group_closed', `${groupId} is sealed: no more calls can join it`, {
    fix: 'Make the call without a group, or in a group of its own.',
  })
}
