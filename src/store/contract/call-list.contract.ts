import { describe, expect, test } from 'vitest'
import { createId } from '../../core/kernel/ids.ts'
import type { CallQuery } from '../../core/call-log.ts'
import type { Stores } from '../../features/stores.ts'
import { freshTenant, settlementOf, startOf } from './records.ts'

/** The contract of every store for lists of calls. */
export function describeCallList(store: () => Stores): void {
  const readAll = async (tenant: string, query: Omit<CallQuery, 'after'>) => {
    const ids: string[] = []
    let pages = 0
    let after: string | undefined
    do {
      const page = await store().calls.list(tenant, { ...query, after })
      ids.push(...page.items.map(({ callId }) => callId))
      after = page.next
      pages += 1
    } while (after !== undefined)
    return { ids, pages }
  }

  describe('lists of calls', () => {
    test('pages run from the newest to the oldest and end without a cursor', async () => {
      const tenant = freshTenant()
      const starts = Array.from({ length: 25 }, () => startOf(tenant))
      await Promise.all(starts.map((start) => store().calls.open(start)))
      const expected = starts.map(({ callId }) => callId).toReversed()
      expect(await readAll(tenant, { limit: 10 })).toEqual({ ids: expected, pages: 3 })
      expect(await readAll(tenant, { limit: 25 })).toEqual({ ids: expected, pages: 1 })
      expect(await readAll(freshTenant(), { limit: 10 })).toEqual({ ids: [], pages: 1 })
    })

    test('every filter narrows, alone and together', async () => {
      const tenant = freshTenant()
      const parentId = createId('call')
      const odd = startOf(tenant, {
        tool: 'web.fetch',
        agent: 'support',
        principal: { kind: 'user', id: 'a:b' },
        sessionId: 'ses_9',
        parentId,
      })
      const others = Array.from({ length: 8 }, () => startOf(tenant))
      for (const start of [...others, odd]) await store().calls.open(start)
      await store().calls.settle(settlementOf(odd, { status: 'failed' }))
      const filters = [
        { tool: 'web.fetch' },
        { agent: 'support' },
        { principal: 'a:b' },
        { sessionId: 'ses_9' },
        { parentId },
        { status: 'failed' },
        { tool: 'web.fetch', status: 'failed', sessionId: 'ses_9', parentId },
      ] as const
      for (const filter of filters) {
        expect((await readAll(tenant, { limit: 3, ...filter })).ids).toEqual([odd.callId])
      }
      expect((await readAll(tenant, { limit: 3, status: 'running' })).ids).toHaveLength(8)
      expect(
        (await readAll(tenant, { limit: 3, tool: 'web.fetch', status: 'running' })).ids,
      ).toEqual([])
      expect((await readAll(tenant, { limit: 3, parentId: 'nonsense' })).ids).toEqual([])
    })

    test('the calls that a call made are found below it, at any depth', async () => {
      const tenant = freshTenant()
      const top = startOf(tenant)
      const middle = startOf(tenant, { parentId: top.callId })
      const leaf = startOf(tenant, { parentId: middle.callId })
      for (const start of [top, middle, leaf, startOf(tenant)]) await store().calls.open(start)
      expect((await readAll(tenant, { limit: 10, underId: top.callId })).ids).toEqual([
        leaf.callId,
        middle.callId,
      ])
      expect((await readAll(tenant, { limit: 1, underId: middle.callId })).ids).toEqual([
        leaf.callId,
      ])
      for (const underId of [leaf.callId, 'nonsense']) {
        expect((await readAll(tenant, { limit: 10, underId })).ids).toEqual([])
      }
      expect((await readAll(freshTenant(), { limit: 10, underId: top.callId })).ids).toEqual([])
    })

    test('calls are found by their key, of whatever tool', async () => {
      const tenant = freshTenant()
      const keyed = [
        startOf(tenant, { idempotencyKey: 'k1', tool: 'a.b_c' }),
        startOf(tenant, { idempotencyKey: 'k1', tool: 'a_b.c' }),
        startOf(tenant, { idempotencyKey: 'k2' }),
      ]
      for (const start of [...keyed, startOf(tenant)]) await store().calls.open(start)
      const [first, second] = keyed.map(({ callId }) => callId)
      const find = async (query: Partial<CallQuery>) =>
        (await readAll(tenant, { limit: 10, ...query })).ids
      expect(await find({ idempotencyKey: 'k1' })).toEqual([second, first])
      expect(await find({ idempotencyKey: 'k1', tool: 'a.b_c' })).toEqual([first])
      expect(await find({ idempotencyKey: 'k3' })).toEqual([])
      const elsewhere = { limit: 10, idempotencyKey: 'k1' }
      expect((await readAll(freshTenant(), elsewhere)).ids).toEqual([])
    })

    test('a stretch of time is a stretch of the list', async () => {
      const tenant = freshTenant()
      const at = (ms: number) => `call_${ms.toString(16).padStart(12, '0')}${'7'.padEnd(20, '0')}`
      const ids = [1_000, 2_000, 3_000].map(at)
      for (const callId of ids) await store().calls.open(startOf(tenant, { callId }))
      const between = (fromMs?: number, toMs?: number) =>
        readAll(tenant, { limit: 2, fromMs, toMs }).then((read) => read.ids)
      expect(await between(2_000)).toEqual([ids[2], ids[1]])
      expect(await between(undefined, 2_000)).toEqual([ids[0]])
      expect(await between(2_000, 3_000)).toEqual([ids[1]])
      expect(await between(0, 1e15)).toEqual(ids.toReversed())
    })

    test('a brief list has everything but inputs and outputs', async () => {
      const tenant = freshTenant()
      const starts = [startOf(tenant), startOf(tenant), startOf(tenant)] as const
      for (const start of starts) await store().calls.open(start)
      const [done, failed] = starts
      const error = { code: 'timeout', message: 'Too slow', retryable: true } as const
      await store().calls.settle(
        settlementOf(done, { output: { cost: 9, text: '"cost":7}' }, cost: 2.5 }),
      )
      await store().calls.settle(
        settlementOf(failed, { status: 'failed', output: undefined, error, cost: 1 }),
      )
      const { items } = await store().calls.list(tenant, { limit: 10, isBrief: true })
      const whole = await store().calls.list(tenant, { limit: 10 })
      const briefly = whole.items.map(({ output: _output, ...call }) => ({ ...call, input: null }))
      expect(items).toEqual(briefly)
      expect(items.map(({ cost }) => cost)).toEqual([undefined, 1, 2.5])
    })

    test('a rare match far back is reached in bounded pages', async () => {
      const tenant = freshTenant()
      const rare = startOf(tenant, { tool: 'rare.one' })
      await store().calls.open(rare)
      const many = Array.from({ length: 6_000 }, () => startOf(tenant, { events: [] }))
      await Promise.all(
        many.map((start) => store().calls.recordWhole(start, settlementOf(start, { events: [] }))),
      )
      const first = await store().calls.list(tenant, { limit: 10, tool: 'rare.one' })
      expect(first.items).toEqual([])
      expect(first.next).toBeDefined()
      expect(await readAll(tenant, { limit: 10, tool: 'rare.one' })).toEqual({
        ids: [rare.callId],
        pages: 2,
      })
    })

    test('an invalid cursor is refused', async () => {
      const list = store().calls.list(freshTenant(), { limit: 10, after: 'call_1' })
      await expect(list).rejects.toMatchObject({ code: 'invalid_request' })
    })
  })
}
