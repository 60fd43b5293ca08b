import type { CallLog, CallStart, Settlement } from '../../core/call-log.ts'
import type { Engine, Statement, TextRow } from '../engine/engine.ts'
import { toStoreError } from '../engine/store-error.ts'
import { requireCallId } from './call-id.ts'
import { toNewCallRow, weighRow } from './call-rows.ts'
import type { CallChange } from './call-rows.ts'
import { isThere } from './is-there.ts'
import type { LogWriter } from './writing/log-writer.ts'
import { toStoredText } from './stored-text.ts'
import { toEventNote } from './writing/written-row.ts'

/** A large one gains nothing by company, and many of them would make a message too long for the engine. */
const maxDeferredBytes = 64 * 1024

/** Values too long for an index are refused before they are acknowledged. */
const maxIndexedChars = 600

interface WholeParts {
  writer: LogWriter
  change(entry: CallChange): Promise<TextRow | undefined>
}

/**
 * Calls that began and ended before they were written. Key and group are ignored here: what they are
 * to know of has to be opened before it runs.
 */
export function createWholeRecorder(
  engine: Engine,
  { writer, change }: WholeParts,
): CallLog['recordWhole'] {
  return async (start, settlement, { isNew = false } = {}) => {
    const events = [...start.events, ...settlement.events]
    const row = toNewCallRow(start, { settlement, events })
    const entry = { row, note: toEventNote(events) }
    const writeAlone = async () => {
      try {
        await writer.write('insert', start.callId, entry)
      } catch (error) {
        if (!isThere(error)) throw error
        const lacking = await findLacking(engine, start, settlement)
        await change({ ...toSettle(settlement), events: lacking })
      }
    }
    const mayWait = isNew && isShort(start) && weighRow(row) <= maxDeferredBytes
    return mayWait && writer.writeLater !== undefined
      ? writer.writeLater({ ...entry, writeAlone })
      : writeAlone()
  }
}

function isShort({ tenant, sessionId = '' }: CallStart): boolean {
  return tenant.length + sessionId.length <= maxIndexedChars
}

export function toSettle(settlement: Settlement): CallChange {
  const { tenant, callId, attempt, events, settledAt, hadJob, from, tokenHash } = settlement
  const guards = { attempt, from, tokenHash }
  return { kind: 'settle', tenant, callId, events, atMs: settledAt, hadJob, settlement, ...guards }
}

/** A call's first events only grow in number until they are written, so what is stored is the beginning of them. */
async function findLacking(engine: Engine, start: CallStart, { events }: Settlement) {
  const id = [toStoredText(start.tenant), requireCallId(start.callId)]
  const [row] = await engine.run(countEvents, id).catch((error: unknown) => {
    throw toStoreError(error)
  })
  return [...start.events.slice(Number(row?.[0] ?? 0)), ...events]
}

const countEvents: Statement = {
  name: 'count_call_events',
  text: `select last_seq::text from calls where tenant = $1 and id = $2::uuid`,
}
