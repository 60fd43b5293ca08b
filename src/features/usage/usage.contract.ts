import { describe, expect, test } from 'vitest'
import type { EventType } from '../../core/events/event.ts'
import type { Stores } from '../stores.ts'
import { noUsage } from '../../core/usage/usage.ts'
import type { JsonValue } from '../../core/kernel/tool.ts'
import type { UsageGrouping } from '../../core/usage/usage.ts'
import { eventOf, freshTenant, settlementOf, startOf } from '../../store/contract/records.ts'

const day = '2026-03-01'
const noon = Date.parse(`${day}T12:00:00.000Z`)

/** Daily figures, as they come of the events of calls. */
export function describeUsage(store: () => Stores): void {
  const told = (type: EventType, data: JsonValue, at = noon) => eventOf(type, data, at)
  const begin = (tool: string, at = noon) => [
    told('call.requested', { tool }, at),
    told('call.started', { attempt: 1 }, at),
  ]
  const read = (tenant: string, by: UsageGrouping, days: readonly string[] = [day]) =>
    store().usage.read(tenant, { from: days[0] ?? day, to: days.at(-1) ?? day, by })

  describe('usage', () => {
    test('a call counts by day, tool, agent and principal once it has settled', async () => {
      const tenant = freshTenant()
      const start = startOf(tenant, {
        agent: 'support',
        startedAt: noon,
        events: begin('calc.sum'),
      })
      await store().calls.open(start)
      await store().audit.seal(tenant)
      expect(await read(tenant, 'day')).toEqual([])
      const data = { durationMs: 90, output: { text: 'hällo' }, cost: 2.5 }
      const events = [told('call.completed', data, noon + 90)]
      await store().calls.settle(settlementOf(start, { events, settledAt: noon + 90 }))
      await store().audit.seal(tenant)
      const figures = {
        ...noUsage,
        calls: 1,
        completed: 1,
        runMs: 90,
        outputBytes: Buffer.byteLength('{"text":"hällo"}'),
        cost: 2.5,
      }
      expect(await read(tenant, 'day')).toEqual([{ subject: day, ...figures }])
      expect(await read(tenant, 'tool')).toEqual([{ subject: 'calc.sum', ...figures }])
      expect(await read(tenant, 'agent')).toEqual([{ subject: 'support', ...figures }])
      expect(await read(tenant, 'principal')).toEqual([{ subject: 'key:abc', ...figures }])
      const { usage } = store()
      expect(await usage.total(tenant, day, { kind: 'tool', id: 'calc.sum' })).toEqual(figures)
      expect(await usage.total(tenant, day, { kind: 'tenant', id: '' })).toEqual(figures)
      expect(await usage.total(tenant, '2026-03-02', { kind: 'tenant', id: '' })).toEqual(noUsage)
      expect(await usage.total(freshTenant(), day, { kind: 'tenant', id: '' })).toEqual(noUsage)
    })

    test('an agent of a person counts for that person, also where its end is read by itself', async () => {
      const tenant = freshTenant()
      const onBehalfOf = { kind: 'key', id: 'budgeted' } as const
      const start = startOf(tenant, {
        principal: { kind: 'system', id: 'schedule:s' },
        onBehalfOf,
        startedAt: noon,
        events: [
          told('call.requested', { tool: 'calc.sum', onBehalfOf: 'key:budgeted' }),
          told('call.started', { attempt: 1 }),
        ],
      })
      await store().calls.open(start)
      await store().audit.seal(tenant)
      const events = [told('call.completed', { durationMs: 0, cost: 3 })]
      await store().calls.settle(settlementOf(start, { events, settledAt: noon }))
      await store().audit.seal(tenant)
      const total = await store().usage.total(tenant, day, {
        kind: 'principal',
        id: 'key:budgeted',
      })
      expect(total).toEqual({ ...noUsage, calls: 1, completed: 1, cost: 3 })
    })

    test('figures that were added up are never added again, and days and subjects stay apart', async () => {
      const tenant = freshTenant()
      const next = noon + 86_400_000
      for (const [tool, at, type] of [
        ['a.one', noon, 'call.completed'],
        ['b.two', noon, 'call.failed'],
        ['b.two', next, 'call.cancelled'],
        ['b.two', next, 'call.denied'],
      ] as const) {
        const start = startOf(tenant, { tool, events: begin(tool, at) })
        const events = [told(type, { durationMs: 1 }, at)]
        await store().calls.recordWhole(start, settlementOf(start, { events }))
        await store().audit.seal(tenant)
        await store().audit.seal(tenant)
      }
      const tomorrow = '2026-03-02'
      expect(await read(tenant, 'day', [day, tomorrow])).toEqual([
        { ...noUsage, subject: day, calls: 2, completed: 1, failed: 1 },
        { ...noUsage, subject: tomorrow, calls: 2, cancelled: 1, denied: 1 },
      ])
      expect(await read(tenant, 'tool', [day, tomorrow])).toEqual([
        { ...noUsage, subject: 'b.two', calls: 3, failed: 1, cancelled: 1, denied: 1 },
        { ...noUsage, subject: 'a.one', calls: 1, completed: 1 },
      ])
      expect(await read(tenant, 'tool', [tomorrow])).toEqual([
        { ...noUsage, subject: 'b.two', calls: 2, cancelled: 1, denied: 1 },
      ])
    })

    test('tools are read with their days and their pace, the most used first', async () => {
      const tenant = freshTenant()
      const next = noon + 86_400_000
      for (const [tool, at, runMs] of [
        ['a.one', noon, 10],
        ['b.two', noon, 100],
        ['b.two', next, 40],
      ] as const) {
        const start = startOf(tenant, { tool, startedAt: at, events: begin(tool, at) })
        const events = [told('call.completed', { durationMs: runMs }, at + runMs)]
        await store().calls.recordWhole(start, settlementOf(start, { events }))
        await store().audit.seal(tenant)
      }
      const none = { failed: 0, denied: 0, cancelled: 0 }
      const days = { from: day, to: '2026-03-03' }
      expect(await store().usage.readTools(tenant, days)).toEqual([
        { tool: 'b.two', calls: 2, completed: 2, ...none, p95Ms: 114, days: [1, 1, 0] },
        { tool: 'a.one', calls: 1, completed: 1, ...none, p95Ms: 11, days: [1, 0, 0] },
      ])
      expect(await store().usage.readTools(freshTenant(), days)).toEqual([])
    })

    test('cost that an attempt reported counts although the call continues', async () => {
      const tenant = freshTenant()
      const start = startOf(tenant, { events: begin('calc.sum') })
      await store().calls.open(start)
      const events = [told('call.queued', { reason: 'again', cost: 4 })]
      await store().calls.append(tenant, start.callId, { events })
      await store().audit.seal(tenant)
      const figures = { ...noUsage, cost: 4 }
      expect(await read(tenant, 'tool')).toEqual([{ subject: 'calc.sum', ...figures }])
    })

    test('an artifact counts with all its bytes, a large output with its size', async () => {
      const tenant = freshTenant()
      const ends: Record<string, JsonValue>[] = [
        { output: { preview: 'x' }, artifact: { id: 'art_1', bytes: 70_000, mediaType: 'x/y' } },
        { outputBytes: 5_000 },
        { cost: -3 },
      ]
      for (const more of ends) {
        const start = startOf(tenant, { events: begin('calc.sum') })
        const events = [told('call.completed', { durationMs: 0, ...more })]
        await store().calls.recordWhole(start, settlementOf(start, { events }))
      }
      await store().audit.seal(tenant)
      const figures = { ...noUsage, calls: 3, completed: 3, outputBytes: 75_000 }
      expect(await read(tenant, 'day')).toEqual([{ subject: day, ...figures }])
    })
  })
}
