import type { ApprovalQuery } from '../../../core/approvals/approval.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { ApprovalStore } from '../../../core/approval-store.ts'
import type { Engine, Statement, TextRow, Value } from '../../../store/engine/engine.ts'
import { toStoreError } from '../../../store/engine/store-error.ts'
import { requireCallId } from '../../../store/log/call-id.ts'
import { callSelection, toStoredCall } from '../../../store/log/read-call-rows.ts'
import type { LogWriter } from '../../../store/log/writing/log-writer.ts'
import { toPrincipalText } from '../../../store/log/principal-text.ts'
import type { InputSeal } from '../../../core/secrets/input-seal.ts'
import { toStoredText } from '../../../store/log/stored-text.ts'
import { parsePrefixedId } from '../../../store/log/approvals/approval-id.ts'
import { createApprovalOutbox } from './approval-outbox.ts'
import {
  approvalSelection,
  approvalSource,
  toApproval,
} from '../../../store/log/approvals/approval-rows.ts'
import { createApprovalRules } from './approval-rules.ts'
import { createDecide, createExpire, createReopen } from './decide-approval.ts'
import { toPage, toPageLimit } from '../../../store/engine/page.ts'

export interface ApprovalStoreParts {
  writer: LogWriter
  inputs: InputSeal
}

const maxPage = 200
const beyondAll = 'f'.repeat(32)
const beforeAll = '0'.repeat(32)

/** Calls that wait for people, on either engine. */
export function createApprovalStore(engine: Engine, parts: ApprovalStoreParts): ApprovalStore {
  const read = async (statement: Statement, values: Value[]): Promise<TextRow[]> => {
    try {
      return await engine.run(statement, values)
    } catch (error) {
      throw toStoreError(error)
    }
  }
  const find: ApprovalStore['find'] = async (tenant, id) => {
    const uuid = parsePrefixedId('appr', id)
    if (uuid === undefined) return undefined
    const [row] = await read(findApproval, [toStoredText(tenant), uuid])
    return row && toApproval(row)
  }
  return {
    find,
    async findWithCall(tenant, id) {
      const approval = await find(tenant, id)
      if (approval === undefined) return undefined
      const values = [toStoredText(tenant), requireCallId(approval.callId)]
      const [row] = await read(findCall, values)
      return row && { approval, call: toStoredCall(row, parts.inputs) }
    },
    async list(tenant, query) {
      const limit = toPageLimit(query.limit, maxPage)
      const { statement, values } = toListing(query)
      const end = query.order === 'oldest' ? beforeAll : beyondAll
      const from = query.after === undefined ? end : parseAfter(query.after)
      const rows = await read(statement, [toStoredText(tenant), from, limit + 1, ...values])
      return toPage(rows.map(toApproval), limit, ({ id }) => id)
    },
    decide: createDecide(engine, { ...parts, find }),
    expire: createExpire(engine, parts),
    reopen: createReopen(engine, parts),
    ...createApprovalRules(read),
    ...createApprovalOutbox({ read, now: engine.now }),
  }
}

function parseAfter(after: string): string {
  const uuid = parsePrefixedId('appr', after)
  if (uuid !== undefined) return uuid
  throw new ToolError('invalid_request', 'That is not a cursor of this list.', {
    fix: 'Use the `next` of a page as it was given.',
  })
}

/** One statement for each set of filters: a plan that fits all of them would walk no index in order. */
function toListing(query: ApprovalQuery): { statement: Statement; values: Value[] } {
  const filters: [string, Value][] = []
  if (query.principal !== undefined) filters.push(['principal', toPrincipalText(query.principal)])
  if (query.tool !== undefined) filters.push(['tool', toStoredText(query.tool)])
  if (query.status !== undefined) filters.push(['status', query.status])
  const [sign, direction] = query.order === 'oldest' ? ['>', 'asc'] : ['<', 'desc']
  if (query.agent !== undefined) filters.push(['agent', toStoredText(query.agent)])
  const conditions = filters.map(([column], index) => toCondition(column, `$${index + 4}`))
  return {
    statement: {
      name: ['list_approvals', direction, ...filters.map(([column]) => column)].join('_'),
      // The page is cut before anything is joined to it: with statistics from before ten thousand
      // approvals came, PostgreSQL may join them all first and sort them then.
      text: `select ${approvalSelection}
        from (select * from approvals a where a.tenant = $1 and a.id ${sign} $2::uuid${conditions.join('')}
          order by a.id ${direction} limit $3) a
        join calls c on c.tenant = a.tenant and c.id = a.call_id
        order by a.id ${direction}`,
    },
    values: filters.map(([, value]) => value),
  }
}

/** The agent is the call's. */
function toCondition(column: string, value: string): string {
  if (column !== 'agent') return ` and a.${column} = ${value}`
  return ` and exists (select from calls c
    where c.tenant = a.tenant and c.id = a.call_id and c.agent = ${value})`
}

const findApproval: Statement = {
  name: 'find_approval',
  text: `select ${approvalSelection} from ${approvalSource} where a.tenant = $1 and a.id = $2::uuid`,
}

const findCall: Statement = {
  name: 'find_call_to_decide',
  text: `select ${callSelection} from calls where tenant = $1 and id = $2::uuid`,
}
