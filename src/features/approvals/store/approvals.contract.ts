import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApprovalRule } from '../../../core/approvals/approval.ts'
import { createId } from '../../../core/kernel/ids.ts'
import type { DecisionEntry } from '../../../core/approval-store.ts'
import type { CallStart } from '../../../core/call-log.ts'
import type { Stores } from '../../stores.ts'
import type { JobTable } from '../../../core/work-ports.ts'
import type { Tables } from '../../../store/tables.ts'
import {
  anna,
  type CallToDecide,
  askedOf,
  inAnHour,
  yes,
} from '../../../store/contract/asked-calls.ts'
import { eventOf, freshTenant, settlementOf } from '../../../store/contract/records.ts'

const ben = { kind: 'user', id: 'ben' } as const
const kay = { kind: 'key', id: 'k' } as const

function no(call: CallStart): DecisionEntry {
  const settlement = settlementOf(call, {
    status: 'denied',
    output: undefined,
    error: { code: 'approval_rejected', message: 'no', retryable: false },
    events: [eventOf('approval.rejected'), eventOf('call.denied')],
  })
  return {
    by: ben,
    at: Date.now(),
    revision: 0,
    reason: 'no',
    ruling: { kind: 'reject', settlement },
  }
}

function ruleOf(
  { tenant, tool, approval }: CallToDecide,
  more: Partial<ApprovalRule> = {},
): ApprovalRule {
  return {
    id: createId('rule'),
    tenant,
    tool,
    agent: 'support',
    reasons: approval.reasons,
    input: { kind: 'pattern', pattern: { a: 1 } },
    approvalId: approval.id,
    createdBy: anna,
    createdAt: new Date().toISOString(),
    expiresAt: new Date(inAnHour()).toISOString(),
    ...more,
  }
}

/** The contract of every store for calls that wait for people. */
export function describeApprovals(
  store: () => Stores,
  { openOther, db }: { openOther: () => Promise<Stores>; db: () => Kysely<Tables> },
): void {
  let other: Stores
  const open = async (...given: Parameters<typeof askedOf>) => {
    const call = askedOf(...given)
    expect(await store().calls.open(call)).toEqual({ kind: 'opened' })
    return call
  }
  const decide = (node: Stores, { tenant, approval }: CallToDecide, entry: DecisionEntry) =>
    node.approvals.decide(tenant, approval.id, entry)
  const find = ({ tenant, approval }: CallToDecide) => store().approvals.find(tenant, approval.id)
  const statusOf = async (call: CallToDecide) => [
    (await find(call))?.status,
    (await store().calls.find(call.tenant, call.callId))?.status,
  ]
  const typesOf = async ({ tenant, callId }: CallStart) => {
    const { items } = await store().events.read(tenant, { limit: 20, callId })
    expect(items.map(({ seq }) => seq)).toEqual(items.map((_, index) => index + 1))
    return items.map(({ type }) => type)
  }

  describe('calls that wait for people', () => {
    const jobs: string[] = []
    beforeAll(async () => {
      other = await openOther()
      const table: JobTable = {
        add: async (added) => void jobs.push(...added.map(({ callId }) => callId)),
        remove: async () => undefined,
      }
      store().jobs?.connect(table)
      other.jobs?.connect(table)
    })
    afterAll(() => other.close())

    test('an approval is stored with its call, and reads back whole', async () => {
      const call = await open(
        { agent: 'support', sessionId: 's1' },
        { approvers: ['user:anna'], needed: 2, isRequesterBarred: true },
      )
      expect(await find(call)).toEqual({
        id: call.approval.id,
        tenant: call.tenant,
        callId: call.callId,
        tool: call.tool,
        input: call.input,
        revision: 0,
        reasons: call.approval.reasons,
        requestedBy: { principal: call.principal, agent: 'support' },
        sessionId: 's1',
        status: 'pending',
        createdAt: new Date(call.requestedAt).toISOString(),
        expiresAt: new Date(call.approval.expiresAt).toISOString(),
        needed: 2,
        approvers: ['user:anna'],
        isRequesterBarred: true,
        decisions: [],
      })
      expect(await store().calls.find(call.tenant, call.callId)).toMatchObject({
        status: 'waiting',
        waitingFor: 'approval',
        approvalId: call.approval.id,
      })
      expect(jobs).not.toContain(call.callId)
    })

    test('an approval queues the call with its job and marks it approved; a second decision comes too late', async () => {
      const call = await open()
      const result = await decide(store(), call, yes({ reason: 'fine' }))
      expect(result).toMatchObject({
        kind: 'decided',
        approval: {
          status: 'approved',
          decisions: [{ by: anna, decision: 'approve', reason: 'fine', isEdited: false }],
        },
      })
      expect(await decide(other, call, no(call))).toEqual({ kind: 'closed', status: 'approved' })
      expect(jobs.filter((callId) => callId === call.callId)).toHaveLength(1)
      const [queued] = await store().calls.findRunnable([call])
      expect([queued?.status, queued?.isApproved]).toEqual(['queued', true])
      expect(await typesOf(call)).toEqual([
        ...call.events.map(({ type }) => type),
        'approval.granted',
      ])
    })

    test('a no settles the call as denied', async () => {
      const call = await open()
      expect(await decide(store(), call, no(call))).toMatchObject({ kind: 'decided' })
      expect(await statusOf(call)).toEqual(['rejected', 'denied'])
      expect((await typesOf(call)).slice(-2)).toEqual(['approval.rejected', 'call.denied'])
    })

    test('of fifty who decide at once on two nodes, one does', async () => {
      const call = await open()
      const results = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          decide(index % 2 ? store() : other, call, index % 3 ? yes() : no(call)),
        ),
      )
      expect(results.filter(({ kind }) => kind === 'decided')).toHaveLength(1)
      expect(results.filter(({ kind }) => kind === 'closed')).toHaveLength(49)
      expect((await typesOf(call)).filter((type) => type.startsWith('approval.'))).toHaveLength(2)
    })

    test('of five people at once, where two are needed, two count and it is queued once', async () => {
      const call = await open({}, { needed: 2 })
      const results = await Promise.all(
        Array.from({ length: 5 }, (_, index) => {
          const by = { kind: 'user' as const, id: `p${index}` }
          return decide(index % 2 ? store() : other, call, yes({ by }))
        }),
      )
      expect(results.filter(({ kind }) => kind === 'decided')).toHaveLength(2)
      expect(jobs.filter((callId) => callId === call.callId)).toHaveLength(1)
      expect((await find(call))?.decisions).toHaveLength(2)
      expect((await typesOf(call)).filter((type) => type === 'approval.granted')).toHaveLength(2)
    })

    test('people are counted, not their keys', async () => {
      const call = await open({}, { needed: 2 })
      const keyOf = (id: string) => ({ by: { kind: 'key' as const, id }, person: anna })
      await decide(store(), call, yes(keyOf('k1')))
      for (const again of [yes(keyOf('k2')), yes()]) {
        expect(await decide(store(), call, again)).toEqual({ kind: 'repeated' })
      }
      expect(await find(call)).toMatchObject({ decisions: [{ by: { id: 'k1' }, person: anna }] })
      await decide(store(), call, yes({ by: ben }))
      expect(await statusOf(call)).toEqual(['approved', 'queued'])
    })

    test('where the requester is barred, their edit is not an approval', async () => {
      const call = await open({}, { needed: 1, isRequesterBarred: true })
      await decide(store(), call, yes({ edit: { input: { n: 2 } } }))
      expect(await statusOf(call)).toEqual(['pending', 'waiting'])
      await decide(store(), call, yes({ by: ben, revision: 1 }))
      expect(await statusOf(call)).toEqual(['approved', 'queued'])
    })

    test('of an approval and a cancel at once, one wins, never both', async () => {
      for (let round = 0; round < 10; round++) {
        const call = await open()
        const cancel = settlementOf(call, {
          status: 'cancelled',
          from: 'waiting',
          output: undefined,
        })
        const [decided, isCancelled] = await Promise.all([
          decide(store(), call, yes()),
          other.calls.settle(cancel),
        ])
        expect(decided.kind === 'decided').toBe(!isCancelled)
        expect(await statusOf(call)).toEqual(
          isCancelled ? ['cancelled', 'cancelled'] : ['approved', 'queued'],
        )
      }
    })

    test('an approval is closed with its call, however that ends', async () => {
      const call = await open()
      await store().calls.settle(settlementOf(call, { status: 'cancelled', output: undefined }))
      expect(await statusOf(call)).toEqual(['cancelled', 'cancelled'])
      const { items } = await store().approvals.list(call.tenant, { status: 'pending', limit: 10 })
      expect(items).toEqual([])
      expect(await decide(store(), call, yes())).toEqual({ kind: 'closed', status: 'cancelled' })
    })

    test('an edited input replaces the sealed one, and another yes is needed for it', async () => {
      const call = await open(
        { input: { key: '[redacted:k]' }, rawInput: { key: 'sk_1' } },
        { needed: 2 },
      )
      const edit = { input: { key: '[redacted:k]', n: 2 }, rawInput: { key: 'sk_1', n: 2 } }
      expect(await decide(store(), call, yes())).toMatchObject({ approval: { status: 'pending' } })
      expect(await decide(store(), call, yes())).toEqual({ kind: 'repeated' })
      await decide(store(), call, yes({ by: ben, edit }))
      expect(await find(call)).toMatchObject({ status: 'pending', revision: 1, input: edit.input })
      expect(await decide(store(), call, yes())).toEqual({ kind: 'edited' })
      await decide(store(), call, yes({ revision: 1 }))
      const [queued] = await store().calls.findRunnable([call])
      expect([queued?.input, queued?.rawInput]).toEqual([edit.input, edit.rawInput])
    })

    test('an overdue approval is not decided any more, and expires once', async () => {
      const call = await open({}, { expiresAt: Date.now() - 1 })
      expect(await decide(store(), call, yes())).toEqual({ kind: 'closed', status: 'expired' })
      const end = settlementOf(call, { status: 'denied', output: undefined })
      const ends = await Promise.all([store(), other].map((node) => node.approvals.expire(end)))
      expect(ends.filter(Boolean)).toHaveLength(1)
      expect(await statusOf(call)).toEqual(['expired', 'denied'])
    })

    test('ids that are foreign, missing or no ids find nothing', async () => {
      const call = await open()
      const { approvals } = store()
      for (const id of [createId('appr'), 'appr_', call.callId, `${call.approval.id}x`, "'"]) {
        expect(await approvals.find(call.tenant, id)).toBeUndefined()
        expect(await approvals.decide(call.tenant, id, yes())).toEqual({ kind: 'not_found' })
      }
      expect(await approvals.find('other', call.approval.id)).toBeUndefined()
      expect(await approvals.decide('other', call.approval.id, yes())).toEqual({
        kind: 'not_found',
      })
    })

    test('a used idempotency key gives the call that waits, and no second approval', async () => {
      const call = await open({ idempotencyKey: 'k' })
      const again = askedOf({ idempotencyKey: 'k', input: call.input }, {}, call.tenant)
      expect(await store().calls.open(again)).toMatchObject({
        kind: 'existing',
        call: { callId: call.callId, approvalId: call.approval.id },
      })
      const { items } = await store().approvals.list(call.tenant, { limit: 10 })
      expect(items.map(({ id }) => id)).toEqual([call.approval.id])
    })

    test('an open that is tried again because its answer was lost is there once', async () => {
      const call = await open()
      expect(await store().calls.open(call)).toEqual({ kind: 'opened' })
    })

    test('a list is newest first, in pages, by status, tool and who asked', async () => {
      const tenant = freshTenant()
      const calls: CallToDecide[] = []
      for (let index = 0; index < 6; index++) {
        const principal = index % 2 ? anna : ben
        calls.push(await open({ principal, tool: index < 3 ? 'a.one' : 'b.two' }, {}, tenant))
      }
      const [first] = calls
      if (first !== undefined) await decide(store(), first, no(first))
      const ids = async (query: object) => {
        const page = await store().approvals.list(tenant, { limit: 10, ...query })
        return page.items.map(({ id }) => calls.findIndex(({ approval }) => approval.id === id))
      }
      expect(await ids({})).toEqual([5, 4, 3, 2, 1, 0])
      expect(await ids({ status: 'pending' })).toEqual([5, 4, 3, 2, 1])
      expect(await ids({ tool: 'a.one' })).toEqual([2, 1, 0])
      expect(await ids({ tool: 'a.one', status: 'pending', principal: anna })).toEqual([1])
      expect(await ids({ principal: ben })).toEqual([4, 2, 0])
      const page = await store().approvals.list(tenant, { limit: 4 })
      expect(await ids({ after: page.next })).toEqual([1, 0])
      expect(await ids({ order: 'oldest', status: 'pending' })).toEqual([1, 2, 3, 4, 5])
      const oldest = await store().approvals.list(tenant, { limit: 4, order: 'oldest' })
      expect(await ids({ order: 'oldest', after: oldest.next })).toEqual([4, 5])
      await expect(store().approvals.list(tenant, { limit: 1, after: 'x' })).rejects.toMatchObject({
        code: 'invalid_request',
      })
    })

    test('a page of ten thousand that wait costs what a page of ten does', async () => {
      const [few, many] = [await tenantWithWaiting(10), await tenantWithWaiting(10_000)]
      const after = `appr_${(5_000).toString(16).padStart(32, '0')}`
      for (const query of [{}, { after }, { tool: 'mail.send' }, { principal: kay, after }]) {
        // In turns, because this machine may be busy: a page alone takes two milliseconds.
        const bestMs = { few: Infinity, many: Infinity }
        for (let round = 0; round < 12; round++) {
          bestMs.few = Math.min(bestMs.few, await pageMs(few, query))
          bestMs.many = Math.min(bestMs.many, await pageMs(many, query))
        }
        expect(bestMs.many).toBeLessThan(30 + 4 * bestMs.few)
      }
    })

    async function tenantWithWaiting(count: number): Promise<string> {
      const tenant = freshTenant()
      await sql`insert into calls (tenant, id, tool, status, principal, attempt, last_seq, input,
          facts, requested_ms, waiting_for)
        select ${tenant}, lpad(to_hex(n), 32, '0')::uuid, 'mail.send', 'waiting', 'key:k', 0, 1,
          '{"to":"somebody"}', '{"runtime":"api"}', 1, 'approval'
        from generate_series(1, ${count}::int) n`.execute(db())
      await sql`insert into approvals (tenant, id, call_id, tool, principal, status, reasons, needed,
          is_requester_barred, created_ms, expires_ms)
        select tenant, id, id, tool, principal, 'pending', '[]', 1, false, 1, 9999999999999
        from calls where tenant = ${tenant}`.execute(db())
      return tenant
    }

    async function pageMs(tenant: string, query: object): Promise<number> {
      const begin = performance.now()
      const page = await store().approvals.list(tenant, { status: 'pending', limit: 10, ...query })
      expect(page.items).toHaveLength(10)
      return performance.now() - begin
    }

    test('rules are kept with the approval that made them, listed while they hold, and revoked once', async () => {
      const call = await open()
      const rule = ruleOf(call)
      await decide(store(), call, yes({}, rule))
      const { approvals } = other
      const list = (more: { tool?: string; at?: number } = {}) =>
        approvals.listRules(call.tenant, { at: Date.now(), ...more })
      expect([await list(), await list({ tool: call.tool })]).toEqual([[rule], [rule]])
      expect(await list({ tool: 'other' })).toEqual([])
      expect(await list({ at: Date.parse(rule.expiresAt) })).toEqual([])
      expect(await approvals.listRules('other', { at: 0 })).toEqual([])
      expect(await approvals.revokeRule('other', rule.id, Date.now())).toBeUndefined()
      const revokedAt = new Date().toISOString()
      expect(await approvals.revokeRule(call.tenant, rule.id, Date.parse(revokedAt))).toEqual({
        ...rule,
        revokedAt,
      })
      expect(await approvals.revokeRule(call.tenant, rule.id, Date.now())).toBeUndefined()
      expect(await list()).toEqual([])
    })

    test('a notice is handed to one node at a time, until it is ended', async () => {
      const call = await open({}, { isAnnounced: true })
      const claim = async (node: Stores, leaseMs: number) =>
        (await node.approvals.claimOutbox(1000, leaseMs)).filter(
          ({ approvalId }) => approvalId === call.approval.id,
        )
      // It is due by the opener's clock and claimed by the store's: these may differ a little.
      const claimBoth = () => Promise.all([claim(store(), 1000), claim(other, 1000)])
      await expect
        .poll(async () => (await claimBoth()).flat())
        .toMatchObject([{ tenant: call.tenant, callId: call.callId, tries: 1 }])
      // Its node died: the lease ends, and another has it.
      let again: Awaited<ReturnType<typeof claim>>[number] | undefined
      await expect
        .poll(async () => ([again] = await claim(other, 60_000)))
        .toMatchObject([{ tries: 2 }])
      expect(await claim(store(), 60_000)).toEqual([])
      if (again !== undefined) await other.approvals.delayOutboxMessage(again, store().now() - 1)
      const [last] = await claim(store(), 0)
      if (last !== undefined) await store().approvals.endOutboxMessage(last)
      expect([last?.tries, await claim(other, 0)]).toEqual([3, []])
    })
  })
}
