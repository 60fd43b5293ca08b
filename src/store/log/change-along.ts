import type { CallLog, ChangeAlong } from '../../core/call-log.ts'
import type { Engine, Statement } from '../engine/engine.ts'
import { toStoreError } from '../engine/store-error.ts'
import { parseCallId } from './call-id.ts'
import { type CallChange, toCallChangeRow } from './call-rows.ts'
import { toSettle } from './record-whole.ts'
import { toStoredText } from './stored-text.ts'
import type { JobChange } from './writing/log-entry.ts'
import type { LogWriter } from './writing/log-writer.ts'

interface Writing {
  engine: Engine
  write: LogWriter['writeIn']
  job: JobChange | undefined
}

/** Changes of calls in one transaction with changes of other tables. */
export function createChangesAlong(
  engine: Engine,
  { writeIn: write }: Pick<LogWriter, 'writeIn'>,
  toJob: (change: CallChange) => JobChange | undefined,
): Pick<CallLog, 'settleAlong' | 'appendAlong'> {
  const make = (change: CallChange, along: ChangeAlong) =>
    changeAlong(change, along, { engine, write, job: toJob(change) })
  return {
    settleAlong: (settlement, along) => make(toSettle(settlement), along),
    appendAlong: ({ tenant, callId }, events, along) =>
      make({ kind: 'append', tenant, callId, events }, along),
  }
}

/** Rolls the transaction back; not a failure. */
class Refused extends Error {}

/**
 * Changes a call and other tables in one transaction. The call is locked first, as by everybody who
 * ends a call, so that two can't wait for each other in a circle.
 */
async function changeAlong(
  change: CallChange,
  along: ChangeAlong,
  { engine, write, job }: Writing,
): Promise<boolean> {
  const uuid = parseCallId(change.callId)
  if (uuid === undefined) return false
  try {
    await engine.transact(async (transaction) => {
      const [call] = await transaction.run(lockCall, [toStoredText(change.tenant), uuid])
      if (call === undefined || !(await along(transaction))) throw new Refused()
      const entry = { row: toCallChangeRow(change), ...(job && { job }) }
      if ((await write(transaction, 'change', entry)) === undefined) throw new Refused()
    })
  } catch (error) {
    if (error instanceof Refused) return false
    throw toStoreError(error)
  }
  engine.noteWrites(2)
  engine.announce()
  engine.announce('jobs')
  return true
}

const lockCall: Statement = {
  name: 'lock_call_to_change',
  text: `select id::text from calls where tenant = $1 and id = $2::uuid for update`,
}
