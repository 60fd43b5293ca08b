import { ToolError } from '../../../core/kernel/errors.ts'
import type { CallRecord } from '../../../core/kernel/call.ts'
import type { CallQuery } from '../../../core/call-log.ts'
import type { Page } from '../../../core/kernel/page.ts'
import type { Engine, Statement, Value } from '../../engine/engine.ts'
import { toStoreError } from '../../engine/store-error.ts'
import { parseCallId, toCallId } from '../call-id.ts'
import { briefSelection, callSelection, toCallRecord } from '../read-call-rows.ts'
import { toStoredText, toStoredTextOrNull } from '../stored-text.ts'
import { toPageLimit } from '../../engine/page.ts'

const maxPage = 500
/** A page looks through so many calls at most; where a filter fits few of them, it comes back short, with a cursor. */
const windows = [500, 1_500, 3_000]
const beyondAll = 'f'.repeat(32)
const beforeAll = '0'.repeat(32)

/** Newest first. Every page walks an index from its cursor on, so the hundredth costs what the first does. */
export async function listCalls(
  engine: Engine,
  tenant: string,
  query: CallQuery,
): Promise<Page<CallRecord>> {
  const limit = toPageLimit(query.limit, maxPage)
  try {
    const { ids, next } = await findMatches(engine, toStoredText(tenant), { ...query, limit })
    const statement = query.isBrief === true ? findBriefly : findCalls
    const rows = await engine.run(statement, [toStoredText(tenant), `{${ids.join(',')}}`])
    const items = rows.map(toCallRecord)
    return next === undefined ? { items } : { items, next }
  } catch (error) {
    throw toStoreError(error)
  }
}

/** Scans in growing windows until the page is full, the list ends, or enough was looked at. */
async function findMatches(
  engine: Engine,
  tenant: string,
  query: CallQuery,
): Promise<{ ids: string[]; next?: string }> {
  const filters = toFilters(query)
  // Without a filter every call fits, so a page and one more is all there is to look at.
  const sizes = filters.some((filter) => filter !== null) ? windows : [query.limit + 1]
  const ids: string[] = []
  let below = toCeiling(query)
  for (const size of sizes) {
    const rows = await engine.run(scanStatement(query), [tenant, below, size, ...filters])
    for (const [id, isMatch] of rows as [string, string][]) {
      if (isMatch === 'true' && ids.length === query.limit) return { ids, next: toCallId(below) }
      if (isMatch === 'true') ids.push(id)
      below = id
    }
    if (rows.length < size) return { ids }
  }
  return { ids, next: toCallId(below) }
}

function toFilters(query: CallQuery): Value[] {
  return [
    query.tool === undefined
      ? null
      : JSON.stringify([query.tool, ...(query.formerNames ?? [])].map(toStoredText)),
    query.status ?? null,
    toStoredTextOrNull(query.agent),
    toStoredTextOrNull(query.principal),
    toStoredTextOrNull(query.sessionId),
    query.parentId === undefined ? null : (parseCallId(query.parentId) ?? beyondAll),
    query.underId === undefined ? null : (parseCallId(query.underId) ?? beyondAll),
    query.fromMs === undefined ? null : toFirstId(query.fromMs),
    toStoredTextOrNull(query.idempotencyKey),
  ]
}

/** Everything on the page is below this: the cursor, or the end of the time that is asked for. */
function toCeiling({ after, toMs }: CallQuery): string {
  const cursor = after === undefined ? beyondAll : parseAfter(after)
  const end = toMs === undefined ? beyondAll : toFirstId(toMs)
  return cursor < end ? cursor : end
}

/** Ids begin with the time they were made at, so a time is a place in the list. */
function toFirstId(ms: number): string {
  return Math.min(Math.max(0, Math.trunc(ms)), 0xffff_ffff_ffff)
    .toString(16)
    .padStart(12, '0')
    .padEnd(32, '0')
}

function parseAfter(after: string): string {
  const uuid = parseCallId(after)
  if (uuid !== undefined) return uuid
  throw new ToolError('invalid_request', 'That is not a cursor of this list.', {
    fix: 'Use the `next` of a page as it was given.',
  })
}

const findCalls: Statement = {
  name: 'find_calls',
  text: `select ${callSelection} from calls where tenant = $1 and id = any ($2::uuid[])
    order by calls.id desc`,
}

const findBriefly: Statement = {
  name: 'find_calls_briefly',
  text: findCalls.text.replace(callSelection, () => briefSelection),
}

/**
 * The narrowest index that the query can walk in order; conditions it does not cover are checked
 * row by row.
 */
function scanStatement(query: CallQuery): Statement {
  if (query.underId !== undefined) return scans.under
  if (query.idempotencyKey !== undefined) return scans.key
  if (query.parentId !== undefined) return scans.parent
  if (query.sessionId !== undefined) return scans.session
  const isUnsettled = ['queued', 'running', 'waiting'].includes(query.status ?? '')
  return isUnsettled ? scans.unsettled : scans.all
}

export const scans = {
  all: scanBy('all', 'true and $10::uuid is null'),
  unsettled: scanBy('unsettled', 'settled_ms is null and $10::uuid is null'),
  // First by the key alone: a plan that is made while the table is empty would walk all of it.
  key: scanBy(
    'key',
    `id = any (array(select keyed.id from calls keyed
      where keyed.tenant = $1 and keyed.idempotency_key = $12)) and $10::uuid is null`,
  ),
  session: scanBy('session', 'session_id = $8 and $10::uuid is null'),
  parent: scanBy('parent', 'parent_id = $9::uuid and $10::uuid is null'),
  under: scanBy(
    'under',
    `id in (with recursive below as (
      select id from calls where tenant = $1 and parent_id = $10::uuid
      union select made.id from calls made join below on made.parent_id = below.id
        where made.tenant = $1
    ) select id from below)`,
  ),
}

function scanBy(name: string, condition: string): Statement {
  const isTool = `($4::text is null or tool in (select json_array_elements_text($4::json)))`
  const matches = [
    ['status', '$5::text'],
    ['agent', '$6::text'],
    [`substr(principal, strpos(principal, ':') + 1)`, '$7::text'],
    ['session_id', '$8::text'],
    ['parent_id', '$9::uuid'],
    ['idempotency_key', '$12::text'],
  ].map(([column, value]) => `(${value} is null or ${column} is not distinct from ${value})`)
  return {
    name: `scan_calls_${name}`,
    text: `select replace(id::text, '-', ''), (${[isTool, ...matches].join(' and ')})::text from calls
      where tenant = $1 and id < $2::uuid and id >= coalesce($11::uuid, '${beforeAll}')
        and ${condition} order by calls.id desc limit $3`,
  }
}
