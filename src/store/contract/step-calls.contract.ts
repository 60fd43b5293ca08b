import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CallStart } from '../../core/call-log.ts'
import { stepWake } from '../../core/pipeline/record/step-wake.ts'
import type { Stores } from '../../features/stores.ts'
import { eventOf, freshTenant, settlementOf, startOf } from './records.ts'

const atMost = 1000

/**
 * The contract of every store for calls that continue from step to step: what settles adds to the
 * wakes of the call that made it, and that is queued once it has enough of them.
 */
export function describeStepCalls(store: () => Stores, openOther: () => Promise<Stores>): void {
  let other: Stores
  const parentOf = () => startOf(freshTenant(), { isResumable: true, isRepeatable: true })
  const stepOf = ({ tenant, callId }: CallStart, key: string, more: Partial<CallStart> = {}) =>
    startOf(tenant, { parentId: callId, stepKey: key, parentWake: stepWake, ...more })
  const open = async (...calls: readonly CallStart[]) => {
    for (const call of calls) await store().calls.open(call)
  }
  const settle = (call: CallStart) => store().calls.settle(settlementOf(call))
  const wait = ({ tenant, callId }: CallStart, wakeAt: number, attempt = 1) =>
    store().calls.wait(tenant, callId, {
      attempt,
      waitingFor: 'call',
      wakeAt,
      events: [eventOf('call.waiting')],
    })
  const statusOf = async ({ tenant, callId }: CallStart) =>
    (await store().calls.find(tenant, callId))?.status
  /** The status after a look for calls that can continue. */
  const afterRelease = async (call: CallStart) => {
    await store().calls.releaseParents(atMost)
    return statusOf(call)
  }
  const findOne = async (call: CallStart) => (await store().calls.findRunnable([call]))[0]

  describe('calls that continue from step to step', () => {
    beforeAll(async () => {
      other = await openOther()
    })
    afterAll(() => other.close())

    test('one step that settles is enough, and is seen once, whichever node looks', async () => {
      const parent = parentOf()
      const [ask, write] = [stepOf(parent, 'ask'), stepOf(parent, 'write')]
      await open(parent, ask, write)
      expect(await wait(parent, 1)).toBe(true)
      expect(await afterRelease(parent)).toBe('waiting')
      await settle(write)
      const nodes = [store(), other, store(), other]
      const counts = await Promise.all(nodes.map((node) => node.calls.releaseParents(atMost)))
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1)
      expect(await findOne(parent)).toMatchObject({
        status: 'queued',
        hasWaited: true,
        wakes: stepWake,
      })
      expect(await statusOf(ask)).toBe('running')
    })

    test('items wake their call together: once as many have settled as it waits for', async () => {
      const parent = parentOf()
      const items = Array.from({ length: 5 }, (_, index) =>
        stepOf(parent, `all/${index}`, { isItem: true, parentWake: 1 }),
      )
      await open(parent, ...items)
      await wait(parent, 3)
      const statuses: unknown[] = []
      for (const item of items.slice(0, 3)) {
        await settle(item)
        statuses.push(await afterRelease(parent))
      }
      expect(statuses).toEqual(['waiting', 'waiting', 'queued'])
      const begin = { from: 'queued', attempt: 1, events: [eventOf('call.started')] } as const
      expect(await store().calls.start(parent.tenant, parent.callId, begin)).toEqual({ attempt: 2 })
      // From three on, it now waits for the two that are left.
      await wait(parent, 5, 2)
      await settle(items[3] as CallStart)
      expect(await afterRelease(parent)).toBe('waiting')
      await settle(items[4] as CallStart)
      expect(await afterRelease(parent)).toBe('queued')
    })

    test('a step that settled while its call was still running is not missed', async () => {
      const parent = parentOf()
      const [early, late] = [stepOf(parent, 'early'), stepOf(parent, 'late')]
      await open(parent, early, late)
      await settle(early)
      expect(await afterRelease(parent)).toBe('running')
      // The run had read the record before that, and waits for the first wake.
      await wait(parent, 1)
      expect(await afterRelease(parent)).toBe('queued')
    })

    test('children that settle at the same time count once each', async () => {
      const parent = parentOf()
      const items = Array.from({ length: 12 }, (_, index) =>
        stepOf(parent, `all/${index}`, { isItem: true, parentWake: 1 }),
      )
      await open(parent, ...items)
      await wait(parent, 12)
      const twice = await Promise.all(
        [...items, ...items].map((item, index) =>
          (index % 2 ? store() : other).calls.settle(settlementOf(item)),
        ),
      )
      expect(twice.filter(Boolean)).toHaveLength(12)
      expect(await afterRelease(parent)).toBe('queued')
      expect(await findOne(parent)).toMatchObject({ wakes: 12 })
    })

    test('an inline step that came to wait after all wakes its call as well', async () => {
      const parent = parentOf()
      const step = startOf(parent.tenant, {
        parentId: parent.callId,
        stepKey: 'inner',
        isRepeatable: true,
      })
      await open(parent, step)
      await store().calls.wait(step.tenant, step.callId, {
        attempt: 1,
        waitingFor: 'approval',
        events: [eventOf('call.waiting')],
      })
      await wait(parent, 1)
      await store().calls.settle(settlementOf(step, { status: 'cancelled', from: 'waiting' }))
      expect(await afterRelease(parent)).toBe('queued')
    })

    test('nothing wakes a call of another tenant, or one that has ended', async () => {
      const [parent, ended] = [parentOf(), parentOf()]
      const foreign = stepOf({ ...parent, tenant: freshTenant() }, 'x')
      const late = stepOf(ended, 'late')
      await open(parent, ended, foreign, late)
      await wait(parent, 1)
      await wait(ended, 1)
      await store().calls.settle(settlementOf(ended, { status: 'cancelled', from: 'waiting' }))
      const stranded = async () =>
        (await store().calls.findStranded(atMost)).map(({ callId }) => callId)
      await store().calls.wait(late.tenant, late.callId, {
        attempt: 1,
        waitingFor: 'external',
        events: [eventOf('call.waiting')],
      })
      expect(await stranded()).toContain(late.callId)
      await settle(foreign)
      await store().calls.settle(settlementOf(late, { from: 'waiting' }))
      expect(await afterRelease(parent)).toBe('waiting')
      expect(await statusOf(ended)).toBe('cancelled')
      expect(await stranded()).not.toContain(late.callId)
    })

    test('a call whose steps have all settled without a wake is found by the safeguard', async () => {
      const parent = parentOf()
      const step = stepOf(parent, 'only', { parentWake: undefined })
      await open(parent, step)
      await wait(parent, 1)
      await store().calls.releaseStalled(atMost)
      expect(await statusOf(parent)).toBe('waiting')
      await settle(step)
      expect(await afterRelease(parent)).toBe('waiting')
      await store().calls.releaseStalled(atMost)
      expect(await statusOf(parent)).toBe('queued')
    })
  })
}
