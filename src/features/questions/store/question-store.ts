import { sql } from 'kysely'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { SqlRunner } from '../../../core/work-ports.ts'
import { changeIn, guarded } from '../../../store/engine/change-in.ts'
import type { Engine } from '../../../store/engine/engine.ts'
import { toPage } from '../../../store/engine/page.ts'
import { parseCallId } from '../../../store/log/call-id.ts'
import { recordEvents } from '../../../store/log/record-events.ts'
import {
  toJsonText,
  toStoredMs,
  toStoredMsOrNull,
  toStoredText,
} from '../../../store/log/stored-text.ts'
import type { StoredQuestion } from '../model.ts'
import type { QuestionCalls, QuestionStore } from '../question-store.ts'
import {
  parseQuestionId,
  toEndingText,
  toQuestionColumns,
  toSpecText,
  toStoredQuestion,
} from './question-rows.ts'
import { listQuestions } from './list-questions.ts'

/** Questions in the database. */
export function createQuestionStore(engine: Engine, calls: QuestionCalls): QuestionStore {
  return {
    find: (tenant, id) => guarded(() => findBy(engine, { tenant, id: parseQuestionId(id) })),
    findOfCall: (tenant, callId) =>
      guarded(() => findBy(engine, { tenant, call_id: parseCallId(callId) })),
    list: (tenant, query) =>
      guarded(async () => {
        const after = query.after === undefined ? undefined : parseAfter(query.after)
        const rows = await listQuestions(engine, tenant, { ...query, after })
        return toPage(rows.map(toStoredQuestion), query.limit, ({ id }) => id)
      }),
    listDue: (nowMs, limit) => guarded(() => listDue(engine, toStoredMs(nowMs), limit)),
    tellWithdrawn: (toEvent, limit) => tellWithdrawn(engine, toEvent, limit),
    ...createSteps(calls),
  }
}

/** Everything that happens to a question, each in one transaction with its call. */
function createSteps(
  calls: QuestionCalls,
): Pick<QuestionStore, 'ask' | 'end' | 'reassign' | 'remind'> {
  return {
    ask: (question, told) =>
      calls.appendAlong(question, [told], async (db) => {
        const columns = Object.values(toQuestionColumns(question))
        if (!(await change(db, insertQuestion, columns))) return false
        await addPeople(db, question)
        return true
      }),
    end: (question, end, settlement) =>
      calls.settleAlong(settlement, (db) => {
        const values = [end.status, toEndingText(end), toStoredMs(end.at)]
        return change(db, endQuestion, [...idOf(question), ...values])
      }),
    reassign: (question, { to, people }, told) =>
      calls.appendAlong(question, [told], async (db) => {
        const changed = { ...question, to, people }
        const values = [...idOf(question), toSpecText(changed)]
        if (!(await change(db, reassignQuestion, values))) return false
        await db.executeSql(removePeople, idOf(question))
        await addPeople(db, changed)
        return true
      }),
    remind: (question, nextMs, told) =>
      calls.appendAlong(question, [told], (db) => {
        const values = [question.remindMs, nextMs].map(toStoredMsOrNull)
        return change(db, remindQuestion, [...idOf(question), ...values])
      }),
  }
}

type Row = Parameters<typeof toStoredQuestion>[0]

function idOf({ tenant, id }: StoredQuestion): [string, string] {
  return [toStoredText(tenant), parseQuestionId(id) ?? '']
}

function parseAfter(after: string): string {
  const uuid = parseQuestionId(after)
  if (uuid !== undefined) return uuid
  throw new ToolError('invalid_request', 'That is not a cursor of this list.', {
    fix: 'Use the `next` of a page as it was given.',
  })
}

async function findBy(
  { db }: Engine,
  by: { tenant: string } & ({ id: string | undefined } | { call_id: string | undefined }),
): Promise<StoredQuestion | undefined> {
  const [column, uuid] = 'id' in by ? (['id', by.id] as const) : (['call_id', by.call_id] as const)
  if (uuid === undefined) return undefined
  const row = await db
    .selectFrom('questions')
    .selectAll()
    .where('tenant', '=', toStoredText(by.tenant))
    .where(column, '=', uuid)
    .executeTakeFirst()
  return row && toStoredQuestion(row)
}

/** Two index walks, one for each reason; a question may be due for both. */
async function listDue({ db }: Engine, nowMs: number, limit: number): Promise<StoredQuestion[]> {
  const { rows } = await sql<Row>`select * from questions where (tenant, id) in (
      (select tenant, id from questions
        where status = 'pending' and expires_ms <= ${nowMs}::bigint
        order by expires_ms limit ${limit})
      union
      (select tenant, id from questions
        where status = 'pending' and remind_ms is not null and remind_ms <= ${nowMs}::bigint
        order by remind_ms limit ${limit}))
    order by id limit ${limit}`.execute(db)
  return rows.map(toStoredQuestion)
}

/** The event is written when a question is found, because the statement that ended the call can't. */
function tellWithdrawn(
  engine: Engine,
  toEvent: Parameters<QuestionStore['tellWithdrawn']>[0],
  limit: number,
): Promise<number> {
  return changeIn(engine, async (transaction) => {
    const { rows } = await sql<Row>`update questions set is_untold = false
      where (tenant, id) in (select tenant, id from questions where is_untold
        limit ${limit} for update skip locked)
      returning *`.execute(transaction)
    const told = rows.map(toStoredQuestion).map((question) => {
      const { tenant, sessionId, askedBy } = question
      return { tenant, sessionId, agent: askedBy.agent, ...toEvent(question) }
    })
    await recordEvents(transaction, told)
    return told.length
  })
}

/** True if the statement changed its row. */
async function change(
  db: SqlRunner,
  text: string,
  values: readonly (string | number | null)[],
): Promise<boolean> {
  const { rows } = await db.executeSql(text, [...values])
  return rows.length > 0
}

async function addPeople(db: SqlRunner, question: StoredQuestion): Promise<void> {
  const people = [...new Set(question.people.map(toStoredText))]
  await db.executeSql(insertPeople, [...idOf(question), toJsonText(people)])
}

/** A call asks one question, and one that has ended asks none. */
const insertQuestion = `insert into questions (tenant, id, call_id, status, principal, agent,
    session_id, spec, created_ms, expires_ms, remind_ms)
  select $1::text, $2::uuid, $3::uuid, $4::text, $5::text, $6::text, $7::text, $8::text,
    $9::bigint, $10::bigint, $11::bigint
  on conflict (tenant, call_id) do nothing returning id`

const insertPeople = `insert into question_people (tenant, question_id, person, status)
  select $1::text, $2::uuid, person, 'pending' from json_array_elements_text($3::json) as p (person)
  on conflict do nothing`

const removePeople = `delete from question_people where tenant = $1::text and question_id = $2::uuid`

const endQuestion = `update questions set status = $3::text, ending = $4::text,
    ended_ms = $5::bigint
  where tenant = $1::text and id = $2::uuid and status = 'pending' returning id`

const reassignQuestion = `update questions set spec = $3::text
  where tenant = $1::text and id = $2::uuid and status = 'pending' returning id`

/** Only the reminder that was seen as due: another node may have sent it. */
const remindQuestion = `update questions set reminders = reminders + 1, remind_ms = $4::bigint
  where tenant = $1::text and id = $2::uuid and status = 'pending' and remind_ms = $3::bigint
  returning id`
