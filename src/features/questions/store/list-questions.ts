import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Engine } from '../../../store/engine/engine.ts'
import { toJsonText, toStoredText } from '../../../store/log/stored-text.ts'
import { questionStatuses } from '../model.ts'
import type { QuestionQuery } from '../question-store.ts'
import type { QuestionsTable } from '../tables.ts'

type Listing = Omit<QuestionQuery, 'after'> & { after: string | undefined }

/** One row more than the page holds. Every filter walks an index in order, however many there are. */
export async function listQuestions(
  { db }: Engine,
  tenant: string,
  query: Listing,
): Promise<Selectable<QuestionsTable>[]> {
  const scope = { tenant: toStoredText(tenant), order: toOrder(query), most: query.limit + 1 }
  const ids = query.people === undefined ? allIds(query, scope) : idsOfPeople(query, scope)
  const { rows } = await sql<Selectable<QuestionsTable>>`select q.* from (${ids}) found
    join questions q on q.tenant = ${scope.tenant} and q.id = found.question_id
    order by q.id ${scope.order.direction}`.execute(db)
  return rows
}

interface Scope {
  tenant: string
  order: { direction: RawBuilder<unknown>; isBeyond: RawBuilder<unknown> }
  most: number
}

/** `isBeyond` follows the column of the id. */
function toOrder({ order, after }: Listing): Scope['order'] {
  const isOldest = order === 'oldest'
  const from = after ?? (isOldest ? '0' : 'f').repeat(32)
  return isOldest
    ? { direction: sql`asc`, isBeyond: sql`> ${from}::uuid` }
    : { direction: sql`desc`, isBeyond: sql`< ${from}::uuid` }
}

function allIds({ status }: Listing, { tenant, order, most }: Scope): RawBuilder<unknown> {
  const ofStatus = status === undefined ? sql`` : sql`and status = ${status}`
  return sql`select id as question_id from questions
    where tenant = ${tenant} ${ofStatus} and id ${order.isBeyond}
    order by id ${order.direction} limit ${most}`
}

/**
 * The first ones of each person and status, which are few, and of these the first. A filter over a
 * person's ten thousand questions would sort them all.
 */
function idsOfPeople(
  { people = [], status }: Listing,
  { tenant, order, most }: Scope,
): RawBuilder<unknown> {
  const statuses = status === undefined ? questionStatuses : [status]
  return sql`select distinct p.question_id
    from json_array_elements_text(${toJsonText(people.map(toStoredText))}::json) as w (person)
    cross join json_array_elements_text(${toJsonText(statuses)}::json) as s (status)
    cross join lateral (select question_id from question_people
      where tenant = ${tenant} and person = w.person and status = s.status
        and question_id ${order.isBeyond}
      order by question_id ${order.direction} limit ${most}) p
    order by p.question_id ${order.direction} limit ${most}`
}
