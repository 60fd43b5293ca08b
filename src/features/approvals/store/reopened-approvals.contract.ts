import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Reopening } from '../../../core/approval-store.ts'
import type { ApprovalPreview } from '../../../core/approvals/approval-preview.ts'
import type { Stores } from '../../stores.ts'
import type { JobTable } from '../../../core/work-ports.ts'
import { type CallToDecide, askedOf, inAnHour, yes } from '../../../store/contract/asked-calls.ts'
import { eventOf, settlementOf } from '../../../store/contract/records.ts'

const preview: ApprovalPreview = {
  state: 'made',
  at: '2026-01-01T00:00:00.000Z',
  binds: true,
  summary: 'Removes 2 rows.',
  changes: [{ target: 'a' }, { target: 'b', before: 1, after: null }],
  digest: 'd1',
}
const changed: ApprovalPreview = { ...preview, digest: 'd2', timesChanged: 1 }

/** The contract of every store for calls that wait for approval a second time. */
export function describeReopenedApprovals(
  store: () => Stores,
  openOther: () => Promise<Stores>,
): void {
  describe('calls whose approval is reopened', () => {
    let other: Stores
    const removed: string[] = []
    beforeAll(async () => {
      other = await openOther()
      const table: JobTable = {
        add: async () => undefined,
        remove: async (jobs) => void removed.push(...jobs.map(({ callId }) => callId)),
      }
      store().jobs?.connect(table)
      other.jobs?.connect(table)
    })
    afterAll(() => other.close())

    const approved = async (terms: Partial<CallToDecide['approval']> = {}) => {
      const call = askedOf({}, { preview, ...terms })
      await store().calls.open(call)
      await store().approvals.decide(call.tenant, call.approval.id, yes())
      return call
    }
    const reopeningOf = ({ callId }: CallToDecide, more: Partial<Reopening> = {}): Reopening => ({
      callId,
      at: Date.now(),
      expiresAt: inAnHour(),
      preview: changed,
      isAnnounced: false,
      events: [eventOf('approval.reopened'), eventOf('call.waiting')],
      ...more,
    })
    const reopen = (node: Stores, call: CallToDecide, more: Partial<Reopening> = {}) =>
      node.approvals.reopen(call.tenant, call.approval.id, reopeningOf(call, more))
    const read = async (call: CallToDecide) => ({
      approval: await store().approvals.find(call.tenant, call.approval.id),
      call: await store().calls.find(call.tenant, call.callId),
    })

    test('the preview is stored with the approval', async () => {
      const call = await approved()
      expect((await read(call)).approval?.preview).toEqual(preview)
    })

    test('an approved call waits again, under a revision that nobody has approved', async () => {
      const call = await approved()
      expect(await reopen(store(), call)).toBe(true)
      const after = await read(call)
      expect(after.approval).toMatchObject({
        status: 'pending',
        revision: 1,
        preview: changed,
        decisions: [{ revision: 0 }],
      })
      expect(after.approval?.decidedAt).toBeUndefined()
      expect(after.call).toMatchObject({ status: 'waiting', waitingFor: 'approval' })
      expect(removed).toContain(call.callId)
      expect(await store().calls.findRunnable([call])).toEqual([])
      expect(await store().approvals.decide(call.tenant, call.approval.id, yes())).toEqual({
        kind: 'edited',
      })
      await store().approvals.decide(call.tenant, call.approval.id, yes({ revision: 1 }))
      const [queued] = await store().calls.findRunnable([call])
      expect([queued?.status, queued?.isApproved]).toEqual(['queued', true])
    })

    test('of two nodes that reopen it at once, one does', async () => {
      const call = await approved()
      const results = await Promise.all([reopen(store(), call), reopen(other, call)])
      expect(results.filter(Boolean)).toHaveLength(1)
      expect((await read(call)).approval).toMatchObject({ status: 'pending', revision: 1 })
    })

    test('of a start and a reopening at once, one wins, never both', async () => {
      for (let round = 0; round < 6; round++) {
        const call = await approved()
        const begin = { from: 'queued' as const, attempt: 0, events: [eventOf('call.started')] }
        const [started, isReopened] = await Promise.all([
          other.calls.start(call.tenant, call.callId, begin),
          reopen(store(), call),
        ])
        expect(started === undefined).toBe(isReopened)
        expect((await read(call)).approval?.status).toBe(isReopened ? 'pending' : 'approved')
      }
    })

    test('a call that has ended, or waits, is left alone', async () => {
      const [ended, pending] = [await approved(), askedOf({}, { preview })]
      await store().calls.open(pending)
      await store().calls.settle(settlementOf(ended, { status: 'cancelled', output: undefined }))
      expect(await reopen(store(), ended)).toBe(false)
      expect(await reopen(store(), pending)).toBe(false)
      expect((await read(ended)).approval).toMatchObject({ status: 'approved', revision: 0 })
      expect((await read(pending)).approval).toMatchObject({ status: 'pending', revision: 0 })
      expect(await store().approvals.reopen('other', ended.approval.id, reopeningOf(ended))).toBe(
        false,
      )
    })

    test('it is announced again, also when the first notice is still there', async () => {
      for (const isAnnounced of [true, false]) {
        const call = await approved({ isAnnounced })
        await reopen(store(), call, { isAnnounced: true })
        const notices: Notice[] = []
        // A notice is due by the clock of the database, which may be a moment behind.
        const countOwn = async () => {
          notices.push(...(await claimAll(store())))
          return notices.filter(({ callId }) => callId === call.callId).length
        }
        await expect.poll(countOwn).toBe(1)
      }
    })
  })
}

type Notice = Awaited<ReturnType<Stores['approvals']['claimOutbox']>>[number]

/** Other tests on the same database have notices, too. */
async function claimAll({ approvals }: Pick<Stores, 'approvals'>) {
  const all: Notice[] = []
  while (true) {
    const some = await approvals.claimOutbox(100, 600_000)
    all.push(...some)
    if (some.length === 0) return all
  }
}
