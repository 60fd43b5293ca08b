import { ToolError } from '../kernel/errors.ts'

/** The same answer for foreign and missing groups. */
export function groupNotFound(groupId: string): ToolError {
  return new ToolError('not_found', `There is no group ${JSON.stringify(groupId.slice(0, 100))}`)
}

/** Why a call could not join: the group is sealed, or does not exist. */
export function cannotJoin(groupId: string, isThere: boolean): ToolError {
  if (!isThere) return groupNotFound(groupId)
  return new ToolError('group_closed', `${groupId} is sealed: no more calls can join it`, {
    fix: 'Make the call without a group, or in its own group.',
  })
}
