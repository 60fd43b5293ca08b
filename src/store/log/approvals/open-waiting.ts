import type { CallStart } from '../../../core/call-log.ts'
import type { Engine, EngineTransaction, TextRow } from '../../engine/engine.ts'
import { toStoreError } from '../../engine/store-error.ts'
import { insertApproval, insertOutboxMessage, toNewApproval } from './approval-rows.ts'

/**
 * Writes a call with its approval, both or none. With an idempotency key that was used before there
 * is no row back from the call, and no approval either.
 */
export async function openWaiting(
  engine: Engine,
  start: CallStart,
  writeCall: (transaction: EngineTransaction) => Promise<TextRow | undefined>,
): Promise<TextRow | undefined> {
  const { approval } = start
  if (approval === undefined) return undefined
  const values = toNewApproval(start, approval)
  try {
    const found = await engine.transact(async (transaction) => {
      const row = await writeCall(transaction)
      // A key that was used, or a group that takes no more: then there is nothing to decide on.
      const mayBeRefused = start.idempotencyKey !== undefined || start.groupId !== undefined
      if (mayBeRefused && row === undefined) return row
      await transaction.run(insertApproval, values.approval)
      if (values.notice !== undefined) await transaction.run(insertOutboxMessage, values.notice)
      return row
    })
    engine.noteWrites(0)
    engine.announce()
    return found
  } catch (error) {
    throw toStoreError(error)
  }
}
