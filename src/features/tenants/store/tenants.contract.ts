import type { OpenStores } from '../../open-stores.ts'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createId } from '../../../core/kernel/ids.ts'
import { copiedTables, uncopiedTables } from '../../../store/copy-store.ts'
import type { Engine } from '../../../store/engine/engine.ts'
import { keptTables, placesOf, removeSome, tenantTables } from '../../../store/tenant-removal.ts'
import { settlementOf, startOf } from '../../../store/contract/records.ts'
import { schedulesOf, fireOf, scheduleOf, entryOf } from '../../schedules/store/testing/records.ts'

const by = { kind: 'user', id: 'owner' } as const
const now = { limit: 100, quietMs: 0 }

const freshSlug = () => createId('t').replace('_', '-')

async function removeAll(store: OpenStores): Promise<void> {
  while ((await store.tenants.removeDeleted(now)) > 0);
}

/** The contract of every store for tenants. */
export function describeTenants(store: () => OpenStores): void {
  const told = async (tenant: string, slug: string) => {
    const { items } = await store().events.read(tenant, { limit: 1000, types: ['tenant.changed'] })
    return items
      .map(({ data, principal }) => ({ data, principal }))
      .filter(({ data }) => (data as { slug?: string }).slug === slug)
  }

  describe('tenants that people make', () => {
    test('a tenant is created once, which is recorded for itself and for the default tenant', async () => {
      const slug = freshSlug()
      const { tenants, events } = store()
      const tenant = await tenants.create({ slug, name: 'Acme' }, by)
      const facts = { slug, name: 'Acme', status: 'active', isDeclared: false }
      expect(tenant).toEqual({ ...facts, createdAt: expect.any(String) })
      expect(await tenants.find(slug)).toEqual(tenant)
      const again = tenants.create({ slug, name: 'Acme' }, by)
      await expect(again).rejects.toMatchObject({ code: 'conflict' })
      const { items } = await events.read(slug, { limit: 10 })
      expect(items.map(({ type, principal, data }) => [type, principal, data])).toEqual([
        ['tenant.created', by, { slug, name: 'Acme' }],
      ])
    })

    test('one is renamed, suspended with a reason, and taken up again', async () => {
      const slug = freshSlug()
      const { tenants } = store()
      await tenants.create({ slug, name: 'Acme' }, by)
      expect(await tenants.change(slug, { name: 'Acme Ltd' }, by)).toMatchObject({
        name: 'Acme Ltd',
        status: 'active',
      })
      const suspended = { status: 'suspended', reason: 'not paid' } as const
      expect(await tenants.change(slug, suspended, by)).toMatchObject(suspended)
      expect(await tenants.change(slug, suspended, by)).toMatchObject(suspended)
      const resumed = await tenants.change(slug, { status: 'active' }, by)
      expect(resumed).toEqual({
        slug,
        name: 'Acme Ltd',
        status: 'active',
        isDeclared: false,
        createdAt: expect.any(String),
      })
      const stood = { slug, name: 'Acme Ltd' }
      const expected = [
        { ...stood, status: 'active', from: { name: 'Acme', status: 'active' } },
        { ...stood, ...suspended, from: { name: 'Acme Ltd', status: 'active' } },
        { ...stood, status: 'active', from: { name: 'Acme Ltd', status: 'suspended' } },
      ].map((data) => ({ data, principal: by }))
      expect(await told(slug, slug)).toEqual(expected)
      expect(await told('default', slug)).toEqual(expected)
      expect(await tenants.change('nobody', { name: 'x' }, by)).toBeUndefined()
    })

    test('a declared tenant is not renamed or deleted, and the default one not suspended', async () => {
      const { tenants } = store()
      const slug = freshSlug()
      const declared = [
        { slug: 'default', name: 'Default' },
        { slug, name: 'Declared' },
      ]
      await tenants.sync(declared)
      const refused = [
        () => tenants.change(slug, { name: 'x' }, by),
        () => tenants.delete(slug, by),
        () => tenants.delete('default', by),
        () => tenants.change('default', { status: 'suspended' }, by),
      ]
      for (const one of refused) await expect(one()).rejects.toMatchObject({ code: 'conflict' })
      await expect(tenants.delete(slug, by)).rejects.toMatchObject({
        fix: 'Remove it from the configuration and restart, then delete it.',
      })
      await tenants.sync(declared.slice(0, 1))
      expect(await tenants.delete(slug, by)).toBe(true)
    })

    test('a deleted tenant cannot be found at once, before any of its rows are removed', async () => {
      const { tenants, events } = store()
      const slug = freshSlug()
      await tenants.create({ slug, name: 'Acme' }, by)
      const end = await events.end('default')
      expect(await tenants.delete(slug, by)).toBe(true)
      expect(await tenants.find(slug)).toBeUndefined()
      expect(await tenants.delete(slug, by)).toBe(false)
      expect(await tenants.change(slug, { status: 'active' }, by)).toBeUndefined()
      const { items } = await events.read('default', { limit: 10, after: end })
      expect(items.map(({ type, data }) => [type, data])).toEqual([
        ['tenant.deleted', { slug, name: 'Acme' }],
      ])
    })
  })
}

/** Further guarantees of a database: no row of a tenant is left, and no table is forgotten. */
export function describeTenantRemoval(
  store: () => OpenStores,
  { engine }: { engine: () => Engine },
): void {
  const countOf = async (table: string, slug: string) => {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count
      from ${sql.table(table)} where tenant = ${slug}`.execute(engine().db)
    return rows[0]?.count
  }
  const tablesWith = async (column: string) => {
    const { rows } = await sql<{ name: string }>`select distinct c.table_name as name
      from information_schema.columns c join information_schema.tables t
        on t.table_schema = c.table_schema and t.table_name = c.table_name
      where c.table_schema = 'toolcrib' and c.column_name like ${column}
        and t.table_type = 'BASE TABLE' and c.table_name not like 'kysely%'`.execute(engine().db)
    return rows.map(({ name }) => name).toSorted()
  }

  describe('removing a tenant', () => {
    test('every table with a tenant is removed from, or known to be kept', async () => {
      const known = [...tenantTables.map(({ name }) => name), ...keptTables]
      expect(known.toSorted()).toEqual(await tablesWith('tenant'))
    })

    test('every table is copied to another database, or known not to be', async () => {
      const known = [...copiedTables.map(({ name }) => name), ...uncopiedTables]
      expect(known.toSorted()).toEqual(await tablesWith('%'))
    })

    test('no step reads a whole table, however large it is', async () => {
      const plans = await engine()
        .db.transaction()
        .execute(async (db) => {
          // With tables this small the planner would scan anyway, whatever indexes exist.
          await sql`set local enable_seqscan = off`.execute(db)
          const read: [string, string][] = []
          for (const { name } of tenantTables) {
            const places = placesOf(name).replace('$1', `'t'`).replace('$2', '5')
            const { rows } = await sql.raw(`explain ${removeSome(name, places)}`).execute(db)
            read.push([name, JSON.stringify(rows)])
          }
          return read
        })
      const bad = plans.filter(
        ([name, plan]) => plan.includes('Seq Scan') || !plan.includes(`Tid Scan on ${name}`),
      )
      expect(bad).toEqual([])
    })

    test('everything of a deleted tenant goes in small steps, and nothing of others', async () => {
      const [slug, other] = [freshSlug(), freshSlug()]
      for (const one of [slug, other]) {
        await store().tenants.create({ slug: one, name: one }, by)
        await fill(store(), one)
      }
      await expect(store().tenants.create({ slug, name: 'x' }, by)).rejects.toThrow(/already/)
      await store().tenants.delete(slug, by)
      await expect(store().tenants.create({ slug, name: 'x' }, by)).rejects.toThrow(
        /still being deleted/,
      )
      const step = await store().tenants.removeDeleted({ limit: 2, quietMs: 0 })
      expect(step).toBeGreaterThan(0)
      expect(await countOf('calls', slug)).toBeGreaterThan(0)
      // As after a crash in the middle: the next run continues.
      await Promise.all([removeAll(store()), removeAll(store())])
      for (const { name } of tenantTables)
        expect([name, await countOf(name, slug)]).toEqual([name, 0])
      const { rows } = await sql<{ count: number }>`select count(*)::int as count
        from artifact_pieces where artifact_id not in (select id from artifacts)`.execute(
        engine().db,
      )
      expect(rows[0]?.count).toBe(0)
      expect(await countOf('calls', other)).toBe(4)
      expect(await store().tenants.find(other)).toBeDefined()
      expect(await countOf('tenant_changes', slug)).toBe(1)
      await store().tenants.create({ slug, name: 'Another' }, by)
      expect(await store().members.list(slug, { limit: 5 })).toEqual({ items: [] })
    })

    test('rows that a tool wrote after its tenant was deleted do not become the next tenant’s', async () => {
      const slug = freshSlug()
      await fill(store(), slug)
      await store().tenants.create({ slug, name: slug }, by)
      const counts = await Promise.all(tenantTables.map(({ name }) => countOf(name, slug)))
      // It has recorded its creation and nothing else.
      expect(counts.reduce((sum = 0, count = 0) => sum + count, 0)).toBe(1)
    })

    test('running calls are aborted and get time to stop', async () => {
      const slug = freshSlug()
      await store().tenants.create({ slug, name: slug }, by)
      const running = startOf(slug)
      const done = startOf(slug)
      await store().calls.open(running)
      await store().calls.recordWhole(done, settlementOf(done))
      await store().tenants.delete(slug, by)
      expect(await store().calls.cancelRequested([running.callId])).toEqual([running.callId])
      await store().tenants.removeDeleted({ limit: 100, quietMs: 60_000 })
      expect(await countOf('calls', slug)).toBe(1)
      expect(await store().tenants.removeDeleted({ limit: 100, quietMs: 60_000 })).toBe(0)
      await removeAll(store())
      expect(await countOf('calls', slug)).toBe(0)
    })

    test('nothing is looked for in a suspended tenant, and who waited gets the time back', async () => {
      const slug = freshSlug()
      const { tenants, calls } = store()
      const schedules = schedulesOf(store())
      await tenants.create({ slug, name: slug }, by)
      const soon = Date.now() + 60_000
      const hourMs = 3_600_000
      const waiting = startOf(slug, { status: 'waiting', deadlineAt: soon, waitingFor: 'external' })
      await calls.open(waiting)
      const schedule = scheduleOf(slug)
      await schedules.create(schedule, entryOf('schedule.created'), 10)
      await schedules.claim([fireOf(schedule)])
      await tenants.change(slug, { status: 'suspended' }, by)
      // An hour later, as the store sees it.
      await sql`update tenants set suspended_ms = suspended_ms - ${hourMs}
        where slug = ${slug}`.execute(engine().db)
      await sql`update calls set deadline_ms = deadline_ms - ${hourMs}
        where tenant = ${slug}`.execute(engine().db)
      const later = Date.now() + 365 * 86_400_000
      const ofSlug = <T extends { tenant: string }>(items: T[]) =>
        items.filter(({ tenant }) => tenant === slug)
      const claim = { limit: 1000, leaseMs: 1 }
      expect(ofSlug(await calls.findOverdue(1000))).toEqual([])
      expect(ofSlug(await schedules.listDue(later, 1000))).toEqual([])
      expect(ofSlug(await schedules.claimRuns(later, claim))).toEqual([])
      await tenants.change(slug, { status: 'active' }, by)
      expect(ofSlug(await calls.findOverdue(1000))).toEqual([])
      expect(ofSlug(await schedules.listDue(later, 1000))).toHaveLength(1)
      expect(ofSlug(await schedules.claimRuns(later, claim))).toHaveLength(1)
      const { rows } = await sql<{ deadline_ms: number }>`select deadline_ms from calls
        where tenant = ${slug}`.execute(engine().db)
      expect(rows[0]?.deadline_ms).toBeGreaterThanOrEqual(soon)
    })
  })
}

/** A row in every table that a tenant has rows in. */
async function fill(store: OpenStores, tenant: string): Promise<void> {
  const settled = startOf(tenant)
  await store.calls.recordWhole(settled, settlementOf(settled))
  const approval = {
    id: createId('appr'),
    reasons: ['because'],
    needed: 1,
    isRequesterBarred: false,
    expiresAt: Date.now() + 60_000,
    isAnnounced: true,
  }
  await store.calls.open(startOf(tenant, { status: 'waiting', waitingFor: 'approval', approval }))
  await store.calls.open(
    startOf(tenant, { status: 'queued', work: { queue: 'toolcrib', priority: 0 } }),
  )
  await store.calls.open(startOf(tenant))
  const text = 'é'.repeat(300_000)
  await store.artifacts.put(tenant, settled.callId, { text, mediaType: 'text/plain' })
  await store.groups.create({
    groupId: createId('group'),
    tenant,
    continuation: { kind: 'test', data: null },
    deadlineAt: undefined,
  })
  await store.secrets.write({ tenant }, 'name', 'value')
  await store.keys.create({ tenant, name: 'k', scopes: ['*'] })
  await store.rules.change(tenant, by, (draft) => draft.put('agent', 'a', { body: {} }))
  await store.members.ensureOwner(tenant)
  const schedule = scheduleOf(tenant)
  await schedulesOf(store).create(schedule, entryOf('schedule.created'), 10)
  await schedulesOf(store).claim([fireOf(schedule)])
}
