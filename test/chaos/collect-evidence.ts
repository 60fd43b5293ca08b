import { readFile } from 'node:fs/promises'
import type { CallRecord, CallStatus } from '../../src/core/kernel/call.ts'
import type { EventType } from '../../src/core/events/event.ts'
import type { JsonValue } from '../../src/core/kernel/tool.ts'
import type { ChaosClient } from './chaos-client.ts'
import type { GroupRow, LoggedEvent, ScheduleRunFact, StoredCall } from './evidence.ts'
import { toEntry } from './loads/load.ts'
import type { Ledger } from './ledger.ts'
import type { PostgresInstance } from './postgres-instance.ts'

/** The calls, straight from their table: the code that reads it for others is on trial. */
export async function readCalls(postgres: PostgresInstance): Promise<StoredCall[]> {
  const rows = await postgres.query<{
    id: string
    tool: string
    status: CallStatus
    attempt: number
    last_seq: number
    is_settled: boolean
    input: string
    outcome: string | null
    idempotency_key: string | null
    group_id: string | null
  }>(`select id, tool, status, attempt, last_seq, settled_ms is not null as is_settled, input, outcome,
    idempotency_key, group_id from toolcrib.calls`)
  return rows.map((row) => {
    const outcome = JSON.parse(row.outcome ?? '{}') as Pick<StoredCall, 'output' | 'error'>
    return {
      callId: toCallId(row.id),
      tool: row.tool,
      status: row.status,
      attempt: row.attempt,
      lastSeq: row.last_seq,
      hasSettledAt: row.is_settled,
      input: JSON.parse(row.input) as JsonValue,
      key: row.idempotency_key ?? undefined,
      groupId: row.group_id === null ? undefined : toGroupId(row.group_id),
      output: outcome.output,
      error: outcome.error,
    }
  })
}

/** The events, straight from their table, chunks taken apart. */
export async function readEvents(postgres: PostgresInstance): Promise<LoggedEvent[]> {
  const rows = await postgres.query<{
    stream: string
    first_seq: number
    is_call: boolean
    types: string
    items: string
  }>(`select stream, first_seq, is_call, types, items from toolcrib.events`)
  return rows.flatMap(({ stream, first_seq, is_call, types, items }) => {
    const name = is_call ? toCallId(stream) : stream.replaceAll('-', '')
    const parts = JSON.parse(items) as [number, JsonValue][]
    return types.split(' ').map((type, index) => ({
      stream: name,
      isCall: is_call,
      seq: first_seq + index,
      type: type as EventType,
      data: (parts[index] as [number, JsonValue])[1],
    }))
  })
}

/** The groups, straight from their table. */
export async function readGroups(postgres: PostgresInstance): Promise<GroupRow[]> {
  const rows = await postgres.query<
    GroupRow['counted'] & { id: string; is_sealed: boolean; is_continued: boolean }
  >(`select id, is_sealed, continued_ms is not null as is_continued, members, pending, failed
    from toolcrib.groups`)
  return rows.map(({ id, is_sealed, is_continued, ...counted }) => ({
    groupId: toGroupId(id),
    isSealed: is_sealed,
    isContinued: is_continued,
    counted,
  }))
}

/** The runs of schedules, straight from their table. */
export async function readScheduleRuns(postgres: PostgresInstance): Promise<ScheduleRunFact[]> {
  const rows = await postgres.query<{
    id: string
    schedule_id: string
    due_ms: string
    is_manual: boolean
  }>(`select id, schedule_id, due_ms, is_manual from toolcrib.schedule_runs`)
  return rows.map((row) => ({
    runId: `srun_${row.id.replaceAll('-', '')}`,
    scheduleId: row.schedule_id,
    dueMs: Number(row.due_ms),
    isManual: row.is_manual,
  }))
}

function toCallId(uuid: string): string {
  return `call_${uuid.replaceAll('-', '')}`
}

function toGroupId(uuid: string): string {
  return `group_${uuid.replaceAll('-', '')}`
}

/** Every call as the API lists it, page by page; what each page says is entered like any answer. */
export async function listCalls(client: ChaosClient, ledger: Ledger): Promise<string[]> {
  const listed: string[] = []
  for (let after = ''; ;) {
    const reply = await client.send({ path: `/api/v1/calls?limit=200${after}` })
    if (reply.http !== 200) continue
    const page = reply.body as { items: CallRecord[]; next?: string }
    for (const record of page.items) {
      listed.push(record.callId)
      const { tool, callId } = record
      const { operation } = record.input as { operation: string }
      ledger.enter({
        request: 'look',
        tool,
        operation,
        callId,
        ...toEntry({ ...reply, body: record }),
      })
    }
    if (page.next === undefined) return listed
    after = `&after=${encodeURIComponent(page.next)}`
  }
}

/** What tools or nodes wrote down themselves. A line that its writer did not finish is no line. */
export async function readJournal<Line>(file: string): Promise<Line[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line)
}
