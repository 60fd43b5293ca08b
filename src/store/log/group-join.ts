import { cannotJoin } from '../../core/async/group-errors.ts'
import type { ToolError } from '../../core/kernel/errors.ts'
import type { CallStart } from '../../core/call-log.ts'
import type { Engine, Statement } from '../engine/engine.ts'
import { toStoreError } from '../engine/store-error.ts'
import { parseGroupId } from './group-id.ts'
import { toStoredText } from './stored-text.ts'

/** Why a group did not let this call in. */
export async function whyNotJoined(
  engine: Engine,
  { tenant, groupId = '' }: CallStart,
): Promise<ToolError> {
  const uuid = parseGroupId(groupId)
  try {
    const rows = uuid === undefined ? [] : await engine.run(findGroup, [toStoredText(tenant), uuid])
    return cannotJoin(groupId, rows.length > 0)
  } catch (error) {
    throw toStoreError(error)
  }
}

const findGroup: Statement = {
  name: 'find_group_to_join',
  text: `select id::text from groups where tenant = $1 and id = $2::uuid`,
}
