import { describe, expect, test } from 'vitest'
import { createId } from '../../core/kernel/ids.ts'
import type { CallStart } from '../../core/call-log.ts'
import type { Stores } from '../../features/stores.ts'
import { eventOf, freshTenant, settlementOf, startOf } from './records.ts'

/** The contract of every store for completion tokens. */
export function describeCallTokens(store: () => Stores): void {
  const work = { queue: 'calls', priority: 0 }
  const openStarted = async (tokenHash: string): Promise<CallStart> => {
    const call = startOf(freshTenant(), { status: 'queued', attempt: 0, work })
    await store().calls.open(call)
    await begin(call, 0, tokenHash)
    return call
  }
  const begin = ({ tenant, callId }: CallStart, attempt: number, tokenHash: string) =>
    store().calls.start(tenant, callId, {
      from: 'queued',
      attempt,
      tokenHash,
      events: [eventOf('call.started')],
    })
  const statusBy = async ({ callId }: CallStart, tokenHash: string) =>
    (await store().calls.findByToken(callId, tokenHash))?.status

  describe('completion tokens', () => {
    test('a call is found by its id and token together, also after it has settled', async () => {
      const [call, other] = [await openStarted('aa'), await openStarted('bb')]
      expect(await statusBy(call, 'aa')).toBe('running')
      expect(await statusBy(call, 'bb')).toBeUndefined()
      expect(await statusBy(other, 'aa')).toBeUndefined()
      expect(await store().calls.findByToken(createId('call'), 'aa')).toBeUndefined()
      expect(await store().calls.findByToken('nonsense', 'aa')).toBeUndefined()
      expect(await store().calls.settle(settlementOf(call, { tokenHash: 'bb' }))).toBe(false)
      expect(await store().calls.settle(settlementOf(call, { tokenHash: 'aa' }))).toBe(true)
      expect(await statusBy(call, 'aa')).toBe('completed')
    })

    test('a token ends with its attempt', async () => {
      const call = await openStarted('first')
      const { tenant, callId } = call
      const from = { attempt: 1, work, isFailure: true, events: [eventOf('call.queued')] }
      await store().calls.requeue(tenant, callId, from)
      expect(await statusBy(call, 'first')).toBeUndefined()
      expect(await store().calls.settle(settlementOf(call, { tokenHash: 'first' }))).toBe(false)
      await begin(call, 1, 'second')
      expect([await statusBy(call, 'first'), await statusBy(call, 'second')]).toEqual([
        undefined,
        'running',
      ])
    })

    test('a token that did not settle its call is spent once, one that did never', async () => {
      const [late, used] = [await openStarted('cc'), await openStarted('dd')]
      const spend = ({ tenant, callId }: CallStart, token: string) =>
        store().calls.spendToken(tenant, callId, token)
      expect(await spend(late, 'cc')).toBe(false)
      await store().calls.settle(settlementOf(late))
      await store().calls.settle(settlementOf(used, { tokenHash: 'dd' }))
      const tries = await Promise.all([1, 2, 3, 4].map(() => spend(late, 'cc')))
      expect(tries.filter(Boolean)).toHaveLength(1)
      expect(await spend({ ...late, tenant: freshTenant() }, 'cc')).toBe(false)
      expect(await spend(used, 'dd')).toBe(false)
      expect(await statusBy(late, 'cc')).toBe('completed')
    })
  })
}
