import type { CallRecord } from '../../core/kernel/call.ts'
import { isToolError, ToolError } from '../../core/kernel/errors.ts'
import type { CallLog, CallStart, OpenResult } from '../../core/call-log.ts'
import { openWaiting } from './approvals/open-waiting.ts'
import type { Engine, Statement, TextRow } from '../engine/engine.ts'
import { isUnsent, toStoreError } from '../engine/store-error.ts'
import { parseCallId, requireCallId } from './call-id.ts'
import { createCallTokens } from './call-tokens.ts'
import { createChangesAlong } from './change-along.ts'
import { createCallWork } from './call-work.ts'
import { toCallChangeRow, toNewCallRow } from './call-rows.ts'
import { callSelection, toCallRecord } from './read-call-rows.ts'
import type { CallChange } from './call-rows.ts'
import { createCallLists } from './lists/create-call-lists.ts'
import { whyNotJoined } from './group-join.ts'
import { hashJson } from './hash-json.ts'
import { isThere } from './is-there.ts'
import type { JobChange } from './writing/log-entry.ts'
import type { LogWriter } from './writing/log-writer.ts'
import { claimOrphans } from './orphans.ts'
import type { NodePresence } from './node-presence.ts'
import { createWholeRecorder, toSettle } from './record-whole.ts'
import type { InputSeal } from '../../core/secrets/input-seal.ts'
import { toStoredText } from './stored-text.ts'
import { toEventNote } from './writing/written-row.ts'

const maxKeyLength = 255

export interface CallLogParts {
  writer: LogWriter
  presence: NodePresence
  pepper: Uint8Array
  inputs: InputSeal
}

/** The record of calls, on whichever engine. */
export function createCallLog(engine: Engine, parts: CallLogParts): CallLog {
  const { writer, presence, inputs } = parts
  const put = toInsert(engine, writer)
  const change = async (entry: CallChange) => {
    if (parseCallId(entry.callId) === undefined) return undefined
    return writer.write('change', entry.callId, {
      row: toCallChangeRow(entry),
      job: toJobChange(entry),
      note: toEventNote(entry.events),
    })
  }
  return {
    async open(start) {
      try {
        if (start.idempotencyKey !== undefined) return await openKeyed(engine, parts, start)
        if (start.groupId !== undefined) return await openGrouped(engine, parts, start)
        await insert(put, start, toNewCallRow(start, sealedIn(start, inputs)))
        return { kind: 'opened' }
      } catch (error) {
        if (!isToolError(error) || !isUnsent(error.cause)) throw error
        throw new ToolError('record_failed', error.message, { cause: error })
      }
    },
    recordWhole: createWholeRecorder(engine, { writer, change }),
    async append(tenant, callId, { events, attempt }) {
      const from = attempt === undefined ? undefined : 'running'
      return (await change({ kind: 'append', tenant, callId, events, attempt, from })) !== undefined
    },
    ...createCallWork(engine, { presence, inputs, change }),
    async settle(settlement) {
      return (await change(toSettle(settlement))) !== undefined
    },
    ...createChangesAlong(engine, writer, toJobChange),
    ...createCallTokens(engine, inputs),
    async find(tenant, callId) {
      const uuid = parseCallId(callId)
      if (uuid === undefined) return undefined
      const [row] = await read(engine, findCall, [toStoredText(tenant), uuid])
      if (row === undefined && writer.isRefused(uuid)) throw notReadable(callId)
      return row && toCallRecord(row)
    },
    digestInput: (value) => Buffer.from(hashJson(parts.pepper, value)).toString('base64url'),
    ...createCallLists(engine),
    async requestCancel(tenant, callId) {
      const uuid = parseCallId(callId)
      if (uuid === undefined) return false
      const rows = await read(engine, markCancel, [toStoredText(tenant), uuid])
      engine.announce()
      return rows.length > 0
    },
    findSettled: (calls, limit) => findSettledCalls(engine, calls, limit),
    async cancelRequested(callIds) {
      const uuids = callIds.flatMap((callId) => parseCallId(callId) ?? [])
      if (uuids.length === 0) return []
      const rows = await read(engine, findCancelled, [`{${uuids.join(',')}}`])
      return rows.map((row) => `call_${row[0] ?? ''}`)
    },
    claimOrphans: (limit) => claimOrphans(engine, parts, limit),
  }
}

function notReadable(callId: string): ToolError {
  return new ToolError('store_unavailable', `The store has not taken ${callId} yet.`, {
    fix: 'It is kept and recorded once the disk has room and the database answers. Try again then.',
  })
}

/**
 * False when it is there already. Our ids are never made twice, so meeting our own means that an
 * earlier try was written and only its answer was lost.
 */
async function insert(
  put: Insert,
  start: CallStart,
  row: ReturnType<typeof toNewCallRow>,
): Promise<boolean> {
  return isFirst(() => put('insert', start, { row }))
}

async function isFirst(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write()
    return true
  } catch (error) {
    if (!isThere(error)) throw error
    return false
  }
}

type Insert = (
  kind: 'insert' | 'insertKeyed' | 'insertGrouped',
  start: CallStart,
  written: {
    row: ReturnType<typeof toNewCallRow>
  },
) => Promise<TextRow | undefined>

/** A call that waits for a person is written together with what that person decides on. */
function toInsert(engine: Engine, writer: LogWriter): Insert {
  return (kind, start, { row }) =>
    start.approval === undefined
      ? writer.write(kind, start.callId, {
          row,
          job: toFirstJob(start),
          note: toEventNote(start.events),
        })
      : openWaiting(engine, start, (transaction) => writer.writeIn(transaction, kind, { row }))
}

/** The group counts it as it is written; a call that is not written was not admitted. */
async function openGrouped(
  engine: Engine,
  { writer, inputs }: CallLogParts,
  start: CallStart,
): Promise<OpenResult> {
  const row = toNewCallRow(start, sealedIn(start, inputs))
  let written: unknown
  const isNew = await isFirst(async () => {
    written = await toInsert(engine, writer)('insertGrouped', start, { row })
  })
  if (!isNew || written !== undefined) return { kind: 'opened' }
  return { kind: 'refused', error: await whyNotJoined(engine, start) }
}

/** Kept only of what runs, or may run, after its answer. */
function sealedIn(start: CallStart, inputs: InputSeal): { sealedInput?: string } {
  const runsLater = start.work !== undefined || start.waitingFor !== undefined
  if (start.rawInput === undefined || !(runsLater || mayBeResumed(start))) return {}
  return { sealedInput: inputs.seal(start.callId, start.rawInput) }
}

/** It may have to wait for a call it makes, and then runs again; with what is recorded, unless that is less. */
function mayBeResumed({ isRepeatable, isResumable, input, rawInput }: CallStart): boolean {
  return (
    (isRepeatable || isResumable === true) && JSON.stringify(rawInput) !== JSON.stringify(input)
  )
}

/** A queued call is written together with its job. */
function toFirstJob({ work, tenant, callId, status }: CallStart): JobChange | undefined {
  return work === undefined || status !== 'queued' ? undefined : { add: work, tenant, callId }
}

/** Queued calls get a job; settled and waiting ones need none. */
function toJobChange(entry: CallChange): JobChange | undefined {
  const { kind, work, tenant, callId } = entry
  if (work !== undefined) return { add: work, tenant, callId }
  // Most settled calls never had a job. If one is left over, its worker finds the call settled.
  const endsJob = kind === 'wait' || (kind === 'settle' && entry.hadJob === true)
  return endsJob ? { remove: true, callId } : undefined
}

/**
 * Insert, then look in a second statement: within one, the row that was in the way is not visible
 * yet, and the loser of a race would find nothing.
 */
async function openKeyed(
  engine: Engine,
  { writer, pepper, inputs }: CallLogParts,
  start: CallStart,
): Promise<OpenResult> {
  const key = start.idempotencyKey ?? ''
  if (key.length === 0 || key.length > maxKeyLength) {
    throw new ToolError(
      'invalid_request',
      `An idempotency key has 1 to ${maxKeyLength} characters.`,
    )
  }
  const hashes = hashInputs(pepper, start)
  const inputHash = Buffer.concat(hashes)
  const row = toNewCallRow(start, { inputHash, ...sealedIn(start, inputs) })
  const kind = start.groupId === undefined ? 'insertKeyed' : 'insertGrouped'
  const written = await toInsert(engine, writer)(kind, start, { row })
  if (written !== undefined) return { kind: 'opened' }
  const { tenant, tool } = start
  const [found] = await read(engine, findByKey, [tenant, tool, key].map(toStoredText))
  if (found === undefined) {
    if (start.groupId !== undefined) {
      return { kind: 'refused', error: await whyNotJoined(engine, start) }
    }
    throw new ToolError('record_failed', 'The call under this idempotency key no longer exists.')
  }
  const call = toCallRecord(found)
  if (call.callId === start.callId) return { kind: 'opened' }
  const isSame = hasOneOf(found.at(-1) ?? '', hashes)
  return isSame ? { kind: 'existing', call } : { kind: 'mismatch', callId: call.callId }
}

/** Of the input as it came and, where that is another, of what it means to the tool. */
function hashInputs(pepper: Uint8Array, start: CallStart): Uint8Array[] {
  const { rawInput, input, preparedInput } = start
  const asked = [rawInput ?? input, ...(preparedInput === undefined ? [] : [preparedInput])]
  return asked.map((value) => hashJson(pepper, value))
}

/**
 * Either digest will do: what means the same to the tool is the same, and so is what was sent twice
 * while the tool's schema changed. Earlier versions stored one digest, of the input as it came.
 */
function hasOneOf(stored: string, hashes: readonly Uint8Array[]): boolean {
  const wanted = hashes.map((hash) => Buffer.from(hash).toString('hex'))
  const known = stored.match(/.{64}/g) ?? []
  return known.some((hash) => wanted.includes(hash))
}

async function findSettledCalls(
  engine: Engine,
  calls: Parameters<CallLog['findSettled']>[0],
  limit: number,
): Promise<CallRecord[]> {
  const known = calls.filter(({ callId }) => parseCallId(callId) !== undefined)
  if (known.length === 0) return []
  const tenants = known.map(({ tenant }) => toArrayItem(toStoredText(tenant)))
  const uuids = known.map(({ callId }) => requireCallId(callId))
  const values = [`{${tenants.join(',')}}`, `{${uuids.join(',')}}`, String(limit)]
  return (await read(engine, findSettled, values)).map(toCallRecord)
}

/** A text inside an array that travels as text. */
function toArrayItem(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`
}

async function read(engine: Engine, statement: Statement, values: string[]) {
  try {
    return await engine.run(statement, values)
  } catch (error) {
    throw toStoreError(error)
  }
}

const findCall: Statement = {
  name: 'find_call',
  text: `select ${callSelection} from calls where tenant = $1 and id = $2::uuid`,
}

/** Each by its key, however many are asked for and however few are settled. */
export const findSettled: Statement = {
  name: 'find_settled',
  text: `select ${callSelection} from (
      select c.* from unnest($1::text[], $2::uuid[]) as wanted (of_tenant, call)
      cross join lateral (select * from calls
        where tenant = wanted.of_tenant and id = wanted.call offset 0) c
      where c.settled_ms is not null limit $3::bigint) found`,
}

const findByKey: Statement = {
  name: 'find_call_by_key',
  text: `select ${callSelection}, encode(input_hash, 'hex') from calls
    where tenant = $1 and tool = $2 and idempotency_key = $3`,
}

const markCancel: Statement = {
  name: 'mark_cancel',
  text: `update calls set cancel_requested = true
    where tenant = $1 and id = $2::uuid and settled_ms is null returning id::text`,
}

const findCancelled: Statement = {
  name: 'find_cancelled',
  text: `select replace(id::text, '-', '') from calls
    where id = any ($1::uuid[]) and cancel_requested and settled_ms is null`,
}
