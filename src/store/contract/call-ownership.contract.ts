import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CallStart, Store } from '../../core/ports.ts'
import type { Engine } from '../engine/engine.ts'
import { eventOf, freshTenant, settlementOf, startOf } from './records.ts'

const started = [eventOf('call.started')]
const stopping = [eventOf('call.queued', { reason: 'server stopping' })]

function queuedOf(more: Partial<CallStart> = {}): CallStart {
  return startOf(freshTenant(), {
    status: 'queued',
    attempt: 0,
    startedAt: undefined,
    execution: 'background',
    events: [eventOf('call.requested'), eventOf('call.queued')],
    ...more,
  })
}

/** What every store promises about whose a call is. `openOther` is a second node on the same engine, with changes to it. */
export function describeCallOwnership(
  store: () => Store,
  {
    openOther,
    engine,
  }: { openOther: (changes?: Partial<Engine>) => Promise<Store>; engine: () => Engine },
): void {
  let other: Store
  const start = (node: Store, { tenant, callId }: CallStart) =>
    node.calls.start(tenant, callId, started)
  const requeue = (node: Store, { tenant, callId }: CallStart, attempt: number) =>
    node.calls.requeue(tenant, callId, { attempt, events: stopping })
  /** As if every node had been silent for long. */
  const claim = async (node: Store, { callId }: CallStart) => {
    await engine().db.deleteFrom('nodes').execute()
    const orphans = await node.calls.claimOrphans(1000)
    return orphans.find((orphan) => orphan.callId === callId)
  }
  const typesOf = async ({ tenant, callId }: CallStart) => {
    const { items } = await store().events.read(tenant, { limit: 20, callId })
    expect(items.map(({ seq }) => seq)).toEqual(items.map((_, index) => index + 1))
    return items.map(({ type }) => type)
  }

  describe('whose a call is', () => {
    beforeAll(async () => {
      other = await openOther()
    })
    afterAll(() => other.close())

    test('a queued call is started once, however many try', async () => {
      const call = queuedOf()
      await store().calls.open(call)
      const wins = await Promise.all(Array.from({ length: 10 }, () => start(store(), call)))
      expect(wins.filter(Boolean)).toEqual([{ attempt: 1 }])
      expect(await typesOf(call)).toEqual(['call.requested', 'call.queued', 'call.started'])
      expect(await store().calls.settle(settlementOf(call, { attempt: 1 }))).toBe(true)
      expect(await start(store(), call)).toBeUndefined()
    })

    test('a start whose answer was lost is taken up by the one who tries it again', async () => {
      let isLost = false
      const node = await openOther({
        async run(statement, values) {
          const rows = await engine().run(statement, values)
          if (isLost && statement.name === 'change_calls') throw new Error('connection lost')
          return rows
        },
      })
      const call = queuedOf()
      await node.calls.open(call)
      isLost = true
      await expect(start(node, call)).rejects.toMatchObject({ code: 'store_unavailable' })
      isLost = false
      const tries = await Promise.all([start(node, call), start(node, call), start(store(), call)])
      expect(tries.filter(Boolean)).toEqual([{ attempt: 1 }])
      expect(await start(node, call)).toBeUndefined()
      expect(await typesOf(call)).toEqual(['call.requested', 'call.queued', 'call.started'])
      await node.close()
    })

    test('a node does not start what another opened or has claimed', async () => {
      const call = queuedOf()
      await store().calls.open(call)
      expect(await start(other, call)).toBeUndefined()
      expect(await claim(other, call)).toMatchObject({ status: 'queued', attempt: 0 })
      expect(await start(store(), call)).toBeUndefined()
      const wins = await Promise.all([other, store(), other].map((node) => start(node, call)))
      expect(wins).toEqual([{ attempt: 1 }, undefined, undefined])
      expect(await typesOf(call)).toEqual(['call.requested', 'call.queued', 'call.started'])
    })

    test('a claimed call that ran is handed out as running and started again once', async () => {
      const call = queuedOf({ isRepeatable: true })
      await store().calls.open(call)
      await start(store(), call)
      expect(await claim(other, call)).toMatchObject({ status: 'running', attempt: 1 })
      expect(await start(store(), call)).toBeUndefined()
      const wins = await Promise.all([start(other, call), start(other, call)])
      expect(wins).toEqual([{ attempt: 2 }, undefined])
      expect(await store().calls.settle(settlementOf(call, { attempt: 1 }))).toBe(false)
      expect(await other.calls.settle(settlementOf(call, { attempt: 2 }))).toBe(true)
    })

    test('whoever takes over from a claimer that died sees that the tool had begun', async () => {
      const call = startOf(freshTenant(), { execution: 'background' })
      await store().calls.open(call)
      expect(await claim(other, call)).toMatchObject({ status: 'running', attempt: 1 })
      expect(await claim(store(), call)).toMatchObject({ status: 'running', attempt: 1 })
      expect(await start(other, call)).toBeUndefined()
    })

    test('a node that was silent for long does not take its own calls for orphans', async () => {
      const call = startOf(freshTenant())
      await store().calls.open(call)
      expect(await claim(store(), call)).toBeUndefined()
    })

    test('a call put back is queued, nobody’s, and taken over at once', async () => {
      const call = queuedOf({ isRepeatable: true })
      await store().calls.open(call)
      await start(store(), call)
      expect(await requeue(other, call, 1)).toBe(false)
      expect(await requeue(store(), call, 2)).toBe(false)
      expect(await requeue(store(), call, 1)).toBe(true)
      expect(await requeue(store(), call, 1)).toBe(false)
      const put = await store().calls.find(call.tenant, call.callId)
      expect([put?.status, put?.attempt, put?.startedAt]).toEqual(['queued', 1, undefined])
      expect(await start(store(), call)).toBeUndefined()
      const orphans = await other.calls.claimOrphans(1000)
      expect(orphans.filter(({ callId }) => callId === call.callId)).toEqual([
        { ...put, execution: 'background', isRepeatable: true, timeoutMs: 30_000 },
      ])
      expect(await start(other, call)).toEqual({ attempt: 2 })
      expect(await typesOf(call)).toEqual([
        'call.requested',
        'call.queued',
        'call.started',
        'call.queued',
        'call.started',
      ])
    })

    test('a settled, a queued, an unknown and a malformed call are not put back', async () => {
      const [settled, queued] = [startOf(freshTenant()), queuedOf()]
      await store().calls.recordWhole(settled, settlementOf(settled))
      await store().calls.open(queued)
      for (const call of [settled, { ...queued, tenant: freshTenant() }, startOf('nobody')])
        expect(await requeue(store(), call, 1)).toBe(false)
      expect(await requeue(store(), queued, 0)).toBe(false)
      expect(await requeue(store(), { ...queued, callId: 'call_zz' }, 0)).toBe(false)
    })
  })
}
