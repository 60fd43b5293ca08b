import { describe, expect, test } from 'vitest'
import { createId } from '../../core/kernel/ids.ts'
import type { Stores } from '../../features/stores.ts'
import { eventOf, freshTenant, settlementOf, startOf } from './records.ts'

/** The contract of every store for calls. */
export function describeCalls(store: () => Stores): void {
  describe('calls', () => {
    test('a call is found as it was opened, and as it was settled', async () => {
      const start = startOf(freshTenant(), {
        agent: 'support',
        sessionId: 'ses_1',
        parentId: createId('call'),
        decision: { verdict: 'allow', layer: 'policy', rule: 'all', reasons: ['because'] },
      })
      expect(await store().calls.open(start)).toEqual({ kind: 'opened' })
      const opened = {
        callId: start.callId,
        tenant: start.tenant,
        tool: 'calc.sum',
        status: 'running',
        input: { a: 1, b: [2, 3] },
        agent: 'support',
        principal: { kind: 'key', id: 'abc' },
        runtime: 'api',
        sessionId: 'ses_1',
        parentId: start.parentId,
        attempt: 1,
        decision: start.decision,
        requestedAt: '2026-01-02T03:04:05.678Z',
        startedAt: '2026-01-02T03:04:05.679Z',
      }
      expect(await store().calls.find(start.tenant, start.callId)).toEqual(opened)

      const settlement = settlementOf(start, {
        artifact: { id: 'art_1', bytes: 3, mediaType: 'text/plain' },
        warnings: ['output was cut'],
      })
      expect(await store().calls.settle(settlement)).toBe(true)
      expect(await store().calls.find(start.tenant, start.callId)).toEqual({
        ...opened,
        status: 'completed',
        output: { sum: 6 },
        artifact: { id: 'art_1', bytes: 3, mediaType: 'text/plain' },
        warnings: ['output was cut'],
        settledAt: '2026-01-02T03:04:05.683Z',
      })
    })

    test('a call recorded whole has all its events in one go', async () => {
      const start = startOf(freshTenant())
      await store().calls.recordWhole(start, settlementOf(start))
      const page = await store().events.read(start.tenant, { limit: 10, callId: start.callId })
      expect(page.items.map(({ seq, type }) => [seq, type])).toEqual([
        [1, 'call.requested'],
        [2, 'call.started'],
        [3, 'call.completed'],
      ])
      expect((await store().calls.find(start.tenant, start.callId))?.status).toBe('completed')
    })

    test('a new call recorded whole is found by every reader, wherever they look', async () => {
      const of = freshTenant()
      const record = async () => {
        const start = startOf(of)
        await store().calls.recordWhole(start, settlementOf(start), { isNew: true })
        return start.callId
      }
      const first = await record()
      expect((await store().calls.find(of, first))?.status).toBe('completed')
      const second = await record()
      const listed = await store().calls.list(of, { limit: 10 })
      expect(listed.items.map(({ callId }) => callId).toSorted()).toEqual(
        [first, second].toSorted(),
      )
      const third = await record()
      const { items } = await store().events.read(of, { limit: 10 })
      expect(items.filter(({ callId }) => callId === third)).toHaveLength(3)
      await record()
      expect(await store().audit.seal(of)).toBe(12)
    })

    test('a call whose opening got through unnoticed is settled when it is recorded whole', async () => {
      const start = startOf(freshTenant())
      await store().calls.open(start)
      const grown = { ...start, events: [...start.events, eventOf('call.output', 'late')] }
      const settlement = settlementOf(start)
      // The second time is the retry after a lost answer.
      for (const _ of [1, 2]) await store().calls.recordWhole(grown, settlement)
      const page = await store().events.read(start.tenant, { limit: 10, callId: start.callId })
      expect(page.items.map(({ seq, type }) => [seq, type])).toEqual([
        [1, 'call.requested'],
        [2, 'call.started'],
        [3, 'call.output'],
        [4, 'call.completed'],
      ])
      const whole = startOf(start.tenant)
      await store().calls.recordWhole(whole, settlementOf(whole))
      expect(await store().calls.find(start.tenant, start.callId)).toEqual({
        ...(await store().calls.find(start.tenant, whole.callId)),
        callId: start.callId,
      })
    })

    test('writing the same call again after a lost answer causes no error and no second record', async () => {
      const start = startOf(freshTenant())
      await store().calls.open(start)
      expect(await store().calls.open(start)).toEqual({ kind: 'opened' })
      expect((await store().events.read(start.tenant, { limit: 10 })).items).toHaveLength(2)
    })

    test('another tenant, an unknown id and a malformed id all find nothing', async () => {
      const start = startOf(freshTenant())
      await store().calls.open(start)
      const ids = [
        createId('call'),
        'call_',
        'call_zz',
        start.callId.toUpperCase(),
        '',
        '\0',
        `${start.callId} `,
      ]
      expect(await store().calls.find(freshTenant(), start.callId)).toBeUndefined()
      for (const id of ids) {
        expect(await store().calls.find(start.tenant, id)).toBeUndefined()
        expect(
          await store().calls.append(start.tenant, id, { events: [eventOf('call.output')] }),
        ).toBe(false)
        expect(await store().calls.settle(settlementOf(start, { callId: id }))).toBe(false)
        expect(await store().calls.requestCancel(start.tenant, id)).toBe(false)
        const begin = { from: 'running', attempt: 1, events: [] } as const
        expect(await store().calls.start(start.tenant, id, begin)).toBeUndefined()
      }
      expect(await store().calls.settle(settlementOf(start, { tenant: freshTenant() }))).toBe(false)
    })

    test('of many who settle one call at once exactly one does, and the numbers have no gap', async () => {
      const start = startOf(freshTenant())
      await store().calls.open(start)
      const outcomes = await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          index % 4 === 3
            ? store().calls.append(start.tenant, start.callId, {
                events: [eventOf('call.output', index), eventOf('call.output')],
              })
            : store().calls.settle(
                settlementOf(start, { status: index % 2 ? 'failed' : 'cancelled' }),
              ),
        ),
      )
      expect(outcomes.filter((done, index) => done && index % 4 !== 3)).toHaveLength(1)
      const { items } = await store().events.read(start.tenant, {
        limit: 100,
        callId: start.callId,
      })
      expect(items.map(({ seq }) => seq)).toEqual(items.map((_, index) => index + 1))
      expect(items.filter(({ type }) => type === 'call.completed')).toHaveLength(1)
      expect(items.at(-1)?.type).toBe('call.completed')
    })

    test('changes of one call that are requested without waiting happen in the order of the requests', async () => {
      const start = startOf(freshTenant())
      const outputs = Array.from({ length: 20 }, (_, index) => index)
      await Promise.all([
        store().calls.open(start),
        ...outputs.map((index) =>
          store().calls.append(start.tenant, start.callId, {
            events: [eventOf('call.output', index)],
          }),
        ),
        store().calls.settle(settlementOf(start)),
      ])
      const { items } = await store().events.read(start.tenant, { limit: 100 })
      expect(items.slice(2, -1).map(({ data }) => data)).toEqual(outputs)
      expect(items.at(-1)?.type).toBe('call.completed')
    })

    test('a call marked for cancelling is reported to the node that runs it, until it is settled', async () => {
      const [first, second] = [startOf(freshTenant()), startOf(freshTenant())]
      await Promise.all([store().calls.open(first), store().calls.open(second)])
      expect(await store().calls.requestCancel(second.tenant, first.callId)).toBe(false)
      expect(await store().calls.requestCancel(first.tenant, first.callId)).toBe(true)
      const ids = [first.callId, second.callId, 'call_x']
      expect(await store().calls.cancelRequested(ids)).toEqual([first.callId])
      await store().calls.settle(settlementOf(first, { status: 'cancelled' }))
      expect(await store().calls.cancelRequested(ids)).toEqual([])
      expect(await store().calls.requestCancel(first.tenant, first.callId)).toBe(false)
    })

    test('strings that a database refuses come back as they went in', async () => {
      const hostile = [
        '\0',
        'a\0b',
        '\ud800',
        '\udc00x',
        '\u{1f600}',
        '\x1e\x1f',
        `'"\\;--{}`,
        '',
        '\uFFFE',
      ]
      const start = startOf(freshTenant(), {
        input: { ['k\0\ud800']: hostile },
        events: [eventOf('call.requested', hostile)],
      })
      await store().calls.open(start)
      await store().calls.settle(settlementOf(start, { output: hostile, warnings: hostile }))
      const found = await store().calls.find(start.tenant, start.callId)
      expect([found?.input, found?.output, found?.warnings]).toEqual([
        { ['k\0\ud800']: hostile },
        hostile,
        hostile,
      ])
      const { items } = await store().events.read(start.tenant, { limit: 1 })
      expect(items[0]?.data).toEqual(hostile)
    })

    test('names with a null character are stored with a stand-in and found by their own spelling', async () => {
      const tenant = `${freshTenant()}\0`
      const start = startOf(tenant, { tool: 'a\0b', sessionId: 's\0', agent: '\ud800' })
      await store().calls.open(start)
      const page = await store().calls.list(tenant, { limit: 5, tool: 'a\0b', sessionId: 's\0' })
      expect(
        page.items.map(({ callId, tool, sessionId, agent }) => [callId, tool, sessionId, agent]),
      ).toEqual([[start.callId, 'a\uFFFDb', 's\uFFFD', '\uFFFD']])
    })

    test('one record that cannot be stored does not take its neighbours down', async () => {
      const tenant = freshTenant()
      // Too long for an index row, and random, so that it does not compress.
      const sessionId = Array.from({ length: 9000 }, () =>
        Math.random().toString(36).slice(2, 3),
      ).join('')
      const starts = Array.from({ length: 30 }, (_, index) =>
        startOf(tenant, index % 10 === 4 ? { sessionId } : {}),
      )
      const results = await Promise.allSettled(starts.map((start) => store().calls.open(start)))
      expect(results.map(({ status }) => status === 'fulfilled')).toEqual(
        starts.map((_, index) => index % 10 !== 4),
      )
      const reasons = results.flatMap((result) =>
        result.status === 'rejected' ? [result.reason.code] : [],
      )
      expect(new Set(reasons)).toEqual(new Set(['record_failed']))
      expect((await store().calls.list(tenant, { limit: 100 })).items).toHaveLength(27)
    })

    test('a value that JSON cannot hold is refused without harm', async () => {
      const start = startOf(freshTenant(), { input: 1n as never })
      await expect(store().calls.open(start)).rejects.toMatchObject({ code: 'record_failed' })
      expect(await store().calls.find(start.tenant, start.callId)).toBeUndefined()
    })

    test('of many calls of any tenants the settled ones are found together, up to a limit', async () => {
      const [first, second] = [freshTenant(), `odd "tenant\\ {${freshTenant()}},`]
      const starts = [startOf(first), startOf(second), startOf(first), startOf(second)]
      await Promise.all(starts.map((start) => store().calls.open(start)))
      const settled = starts.slice(0, 3)
      for (const start of settled) await store().calls.settle(settlementOf(start))
      const unknown = { tenant: first, callId: createId('call') }
      const foreign = { tenant: freshTenant(), callId: starts[0]!.callId }
      const nonsense = { tenant: first, callId: 'call_x' }
      const asked = [...starts, unknown, foreign, nonsense]
      const records = await Promise.all(
        settled.map(({ tenant, callId }) => store().calls.find(tenant, callId)),
      )
      const found = await store().calls.findSettled(asked, 10)
      expect(found.toSorted((a, b) => (a.callId < b.callId ? -1 : 1))).toEqual(
        records.toSorted((a, b) => (a!.callId < b!.callId ? -1 : 1)),
      )
      expect(await store().calls.findSettled(asked, 2)).toHaveLength(2)
      expect(await store().calls.findSettled([nonsense], 2)).toEqual([])
    })

    test('a waiting call shows what it waits for', async () => {
      const tenant = freshTenant()
      const approval = startOf(tenant, { status: 'waiting', waitingFor: 'approval' })
      const external = startOf(tenant, { status: 'waiting', waitingFor: 'external' })
      await Promise.all([store().calls.open(approval), store().calls.open(external)])
      const { items } = await store().calls.list(tenant, { limit: 5 })
      expect(items.map(({ waitingFor }) => waitingFor)).toEqual(['external', 'approval'])
    })
  })
}
