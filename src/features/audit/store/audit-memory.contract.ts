import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { CallStart, Settlement } from '../../../core/call-log.ts'
import type { Stores } from '../../stores.ts'
import type { Tables } from '../../../store/tables.ts'
import { checkAll } from './testing/audit-records.ts'
import { eventOf, freshTenant, settlementOf, startOf } from '../../../store/contract/records.ts'

/** Sealing from what the writer remembers: the same as reading it back, and never instead of looking. */
export function describeAuditMemory(
  store: () => Stores,
  { openOther, db }: { openOther: () => Promise<Stores>; db: () => Kysely<Tables> },
): void {
  const usageOf = (tenant: string) =>
    Promise.all(
      (['tool', 'agent', 'principal', 'day'] as const).map((by) =>
        store().usage.read(tenant, { from: '2026-01-01', to: '2026-12-31', by }),
      ),
    )

  describe('sealing from memory', () => {
    test('every kind of write is sealed as it will be read', async () => {
      const tenant = freshTenant()
      await writeAllKinds(store(), tenant)
      const sealed = await store().audit.seal(tenant)
      expect(await checkAll(store(), tenant)).toEqual({
        segments: 1,
        events: sealed,
        problems: [],
        unsealed: 0,
      })
    })

    test('usage is the same as of events that were read back', async () => {
      const [mine, read] = [freshTenant(), freshTenant()]
      for (const tenant of [mine, read]) await writeAllKinds(store(), tenant)
      await store().audit.seal(mine)
      await (await openOther()).audit.seal(read)
      expect(await usageOf(mine)).toEqual(await usageOf(read))
      expect((await usageOf(mine))[0]?.length).toBeGreaterThan(0)
    })

    test('a row that somebody changed before it was sealed does not fit its seal', async () => {
      const tenant = freshTenant()
      const start = startOf(tenant)
      await store().calls.recordWhole(start, settlementOf(start))
      await sql`update events set principal = 'user:mallory' where tenant = ${tenant}`.execute(db())
      await store().audit.seal(tenant)
      const { problems } = await checkAll(store(), tenant)
      expect(problems.map(({ kind }) => kind)).toEqual(['changed'])
    })

    test('rows of others in between are sealed too, and a row that was deleted is not', async () => {
      const tenant = freshTenant()
      const other = await openOther()
      const starts = Array.from({ length: 6 }, () => startOf(tenant))
      for (const [index, start] of starts.entries()) {
        const by = index % 2 === 0 ? store() : other
        await by.calls.recordWhole(start, settlementOf(start))
      }
      const gone = (starts[5]?.callId ?? '').replace('call_', '')
      await sql`delete from events where stream = ${gone}::uuid`.execute(db())
      await other.audit.seal(tenant)
      await store().audit.seal(tenant)
      const check = await checkAll(store(), tenant)
      expect(check).toMatchObject({ events: 15, problems: [], unsealed: 0 })
    })

    test('rows sealed elsewhere in the meantime are not sealed again', async () => {
      const tenant = freshTenant()
      const other = await openOther()
      for (let round = 0; round < 3; round += 1) {
        const start = startOf(tenant)
        await store().calls.open(start)
        if (round === 1) await other.audit.seal(tenant)
        await store().calls.settle(settlementOf(start))
      }
      await store().audit.seal(tenant)
      expect(await checkAll(store(), tenant)).toMatchObject({ events: 9, problems: [] })
      const [[row] = []] = await usageOf(tenant)
      expect(row?.calls).toBe(3)
    })
  })
}

/** Calls written whole, in steps and with a key, and events outside of calls; texts that no column can hold. */
async function writeAllKinds({ calls, events }: Stores, tenant: string): Promise<void> {
  const odd = { sessionId: 'half\ud800', agent: 'null\0' }
  const onBehalfOf = { kind: 'user', id: 'eva' } as const
  const requested = eventOf('call.requested', { tool: 'calc.sum', onBehalfOf: 'user:eva' })
  const begun = [requested, eventOf('call.started')]
  const startedAt = requested.at
  const whole = startOf(tenant, { ...odd, onBehalfOf, startedAt, events: begun })
  await calls.recordWhole(whole, endOf(whole))
  const stepped = startOf(tenant, { ...odd, onBehalfOf, startedAt, events: begun })
  await calls.open(stepped)
  const output = [eventOf('call.output'), eventOf('call.output')]
  await calls.append(tenant, stepped.callId, { events: output })
  await calls.settle(endOf(stepped))
  const keyed = startOf(tenant, { startedAt, idempotencyKey: 'k' })
  await calls.open(keyed)
  await calls.open({ ...startOf(tenant), idempotencyKey: 'k' })
  await calls.settle(settlementOf(keyed))
  const principal = { kind: 'user', id: 'an\ud800na' } as const
  const many = Array.from({ length: 120 }, (_, number) => eventOf('secret.written', { number }))
  await events.record([{ tenant, principal, events: many, sessionId: 's' }])
}

/** An end that took a while, cost something and has an output. */
function endOf(start: CallStart): Settlement {
  const data = { output: { text: 'é'.repeat(50) }, cost: 3 }
  const { at } = eventOf('call.completed')
  return settlementOf(start, { events: [eventOf('call.completed', data, at + 250)] })
}
