import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { AuditFilter } from '../../../core/audit/audit-filter.ts'
import type { AuditQuery } from '../../../core/audit/audit-log.ts'
import type { Stores } from '../../stores.ts'
import type { Tables } from '../../../store/tables.ts'
import { eventOf, freshTenant, settlementOf, startOf } from '../../../store/contract/records.ts'

const noon = Date.parse('2026-03-01T12:00:00.000Z')
const minute = 60_000

/** The log as an auditor looks through it. */
export function describeAuditList(store: () => Stores, db?: () => Kysely<Tables>): void {
  const anna = { kind: 'user', id: 'anna' } as const

  /** A secret, two calls and an agent, each a minute after the one before. */
  const make = async () => {
    const tenant = freshTenant()
    const { events, calls, audit } = store()
    const secret = eventOf('secret.written', { name: 'Stripe "live"' }, noon)
    await events.record([{ tenant, principal: anna, events: [secret] }])
    const decision = { verdict: 'ask', layer: 'approval', rule: 'always' }
    const asked = startOf(tenant, {
      tool: 'a.refund',
      agent: 'support',
      sessionId: 'ses_1',
      events: [eventOf('call.requested', { tool: 'a.refund', decision }, noon + minute)],
    })
    const failed = [
      eventOf('call.failed', { error: { message: 'Ärger mit der Karte' } }, noon + minute),
    ]
    await calls.recordWhole(asked, settlementOf(asked, { status: 'failed', events: failed }))
    const behalf = startOf(tenant, {
      tool: 'b.list',
      principal: { kind: 'system', id: 'schedule' },
      onBehalfOf: anna,
      events: [
        eventOf('call.requested', { tool: 'b.list', onBehalfOf: 'user:anna' }, noon + 2 * minute),
      ],
    })
    const done = [eventOf('call.completed', { output: 1 }, noon + 2 * minute)]
    await calls.recordWhole(behalf, settlementOf(behalf, { events: done }))
    const tool = eventOf('tool.registered', { name: 'a.refund' }, noon + 3 * minute)
    await events.record([{ tenant, principal: { kind: 'system', id: 'loader' }, events: [tool] }])
    await audit.seal(tenant)
    return { tenant, asked, behalf }
  }
  const typesOf = async (tenant: string, filter: AuditFilter) => {
    const { items } = await walk(tenant, { ...filter, order: 'newest', limit: 2 })
    return items.map(({ type }) => type)
  }
  /** All pages, one after the other. */
  const walk = async (tenant: string, query: AuditQuery) => {
    const items = []
    let after: string | undefined
    do {
      const page = await store().audit.list(tenant, { ...query, after })
      items.push(...page.items)
      after = page.next
    } while (after !== undefined)
    return { items }
  }

  describe('an audit', () => {
    test('goes through all events from either end, page by page, with the tool they are about', async () => {
      const { tenant } = await make()
      const oldest = [
        ['secret.written', undefined],
        ['call.requested', 'a.refund'],
        ['call.failed', 'a.refund'],
        ['call.requested', 'b.list'],
        ['call.completed', 'b.list'],
        ['tool.registered', 'a.refund'],
      ]
      for (const limit of [1, 2, 3, 5, 6, 100]) {
        const forward = await walk(tenant, { order: 'oldest', limit })
        expect(forward.items.map(({ type, tool }) => [type, tool])).toEqual(oldest)
        const back = await walk(tenant, { order: 'newest', limit })
        expect(back.items).toEqual(forward.items.toReversed())
      }
      const { items } = await walk(tenant, { order: 'oldest', limit: 100 })
      const until = items[2]?.id
      expect((await walk(tenant, { order: 'oldest', limit: 2, until })).items).toEqual(
        items.slice(0, 3),
      )
      expect((await walk(freshTenant(), { order: 'newest', limit: 2 })).items).toEqual([])
    })

    test('shows what is asked for, by any of its marks', async () => {
      const { tenant, asked } = await make()
      const ofRefund = ['tool.registered', 'call.failed', 'call.requested']
      const ofCall = ['call.failed', 'call.requested']
      expect(await typesOf(tenant, { types: ['secret.written'] })).toEqual(['secret.written'])
      expect(await typesOf(tenant, { types: ['call.failed', 'tool.registered'] })).toEqual(
        ofRefund.slice(0, 2),
      )
      expect(await typesOf(tenant, { tool: 'a.refund' })).toEqual(ofRefund)
      expect(await typesOf(tenant, { agent: 'support' })).toEqual(ofCall)
      expect(await typesOf(tenant, { sessionId: 'ses_1' })).toEqual(ofCall)
      expect(await typesOf(tenant, { callId: asked.callId })).toEqual(ofCall)
      expect(await typesOf(tenant, { callId: 'nonsense' })).toEqual([])
      expect(await typesOf(tenant, { verdict: 'ask' })).toEqual(['call.requested'])
      expect(await typesOf(tenant, { verdict: 'ask', layer: 'policy' })).toEqual([])
      expect(await typesOf(tenant, { text: 'karte' })).toEqual(['call.failed'])
      expect(await typesOf(tenant, { text: 'STRIPE "live' })).toEqual(['secret.written'])
      expect(await typesOf(tenant, { text: '%' })).toEqual([])
      expect(await typesOf(tenant, { text: 'Ärger MIT' })).toEqual(['call.failed'])
      expect(await typesOf(tenant, { text: 'ärger' })).toEqual([])
      expect(await typesOf(tenant, { principal: 'key:abc' })).toEqual(ofCall)
      expect(await typesOf(tenant, { principal: 'abc', types: ['call.failed'] })).toEqual([
        'call.failed',
      ])
    })

    test('finds what was done on behalf of somebody', async () => {
      const { tenant } = await make()
      for (const principal of ['user:anna', 'anna']) {
        const types = await typesOf(tenant, { principal })
        expect(types).toContain('secret.written')
        expect(types).toContain('call.requested')
        expect(types).not.toContain('call.failed')
      }
    })

    test('is bounded by time', async () => {
      const { tenant } = await make()
      const later = eventOf('secret.deleted', { name: 'x' }, noon + 86_400_000)
      await store().events.record([{ tenant, principal: anna, events: [later] }])
      await store().audit.seal(tenant)
      expect(await typesOf(tenant, { fromMs: noon + 2 * minute })).toEqual([
        'secret.deleted',
        'tool.registered',
        'call.completed',
        'call.requested',
      ])
      expect(await typesOf(tenant, { fromMs: noon + 1, toMs: noon + 2 * minute })).toEqual([
        'call.failed',
        'call.requested',
      ])
      expect(await typesOf(tenant, { toMs: noon })).toEqual([])
    })

    test('finds what is rare among what is frequent', async () => {
      const tenant = freshTenant()
      const events = Array.from({ length: 100 }, () => eventOf('tool.changed', { name: 'x' }, noon))
      const rare = eventOf('key.created', { id: 'k9x7' }, noon)
      await store().events.record([{ tenant, principal: anna, events: [rare] }])
      const many = Array.from({ length: 20 }, () => ({ tenant, principal: anna, events }))
      await store().events.record(many)
      expect(await typesOf(tenant, { types: ['key.created'] })).toEqual(['key.created'])
      expect(await typesOf(tenant, { text: 'K9X7' })).toEqual(['key.created'])
    })

    test.skipIf(db === undefined)(
      'scans a bounded part, then reports where it stopped',
      async () => {
        const tenant = freshTenant()
        const rare = eventOf('key.created', { id: 'k9x7' }, noon)
        await store().events.record([{ tenant, principal: anna, events: [rare] }])
        if (db !== undefined) {
          await sql`insert into events (tenant, stream, first_seq, last_seq, is_call, principal,
            types, items) select ${tenant}, gen_random_uuid(), 1, 1, false, 'user:anna',
            'tool.changed', '[[1,{}]]' from generate_series(1, 10100)`.execute(db())
        }
        const query = { order: 'newest', limit: 5, text: 'k9x7' } as const
        const first = await store().audit.list(tenant, query)
        expect(first).toEqual({ items: [], next: expect.any(String) })
        const second = await store().audit.list(tenant, { ...query, after: first.next })
        expect(second.items.map(({ type }) => type)).toEqual(['key.created'])
        expect(second.next).toBeUndefined()
      },
    )

    test.skipIf(db === undefined)('knows what members and keys are called', async () => {
      const [tenant, other] = [freshTenant(), freshTenant()]
      const { key } = await store().keys.create({ tenant, name: 'CI', scopes: ['*'] })
      const times = { created_ms: 0, updated_ms: 0 }
      const member = { id: 'mem_1', name: 'Anna', role: 'owner', status: 'active', ...times }
      await db?.()
        .insertInto('members')
        .values({ tenant, email: null, password_hash: null, ...member })
        .execute()
      const asked = ['user:mem_1', `key:${key.id}`, 'user:nobody', 'system:loader']
      expect(await store().audit.nameAll(tenant, asked)).toEqual(
        new Map([
          ['user:mem_1', 'Anna'],
          [`key:${key.id}`, 'CI'],
        ]),
      )
      expect(await store().audit.nameAll(other, asked)).toEqual(new Map())
    })
  })
}
