import { eventOf } from '../../../store/contract/records.ts'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Stores } from '../../stores.ts'
import { parseCursor } from '../../../store/log/events/event-cursor.ts'
import type { Tables } from '../../../store/tables.ts'
import { checkAll, sealEvents } from './testing/audit-records.ts'

/** Tampering that is detected if the attacker has the database but not the key. */
export function describeAuditTampering(store: () => Stores, db: () => Kysely<Tables>): void {
  /** Nine events in three segments. */
  const nine = () => sealEvents(store(), { count: 9, perSegment: 3 })
  const problemsOf = async (tenant: string, anchors = noAnchors) =>
    (await checkAll(store(), tenant, anchors)).problems.map(
      ({ message: _message, ...rest }) => rest,
    )
  const streamOf = (id: string | undefined) => parseCursor(id ?? '').stream
  const rowOf = (id: string | undefined) => sql<boolean>`stream = ${streamOf(id)}::uuid`
  const anchorOf = async (tenant: string) => {
    const { to } = await store().audit.check(tenant, { after: 0 })
    if (to === undefined) throw new Error('nothing is sealed')
    return { number: to.segment, digest: to.digest }
  }

  describe('a chain that was tampered with', () => {
    test.each([
      ['what it says', sql`items = replace(items, '"s5"', '"s0"')`],
      ['who it was', sql`principal = 'user:mallory'`],
      ['when it was', sql`items = replace(items, '[[1', '[[2')`],
      ['its type', sql`types = 'secret.deleted'`],
      ['its session', sql`session_id = 'other'`],
      ['its agent', sql`agent = 'other'`],
      ['its number', sql`first_seq = first_seq + 1, last_seq = last_seq + 1`],
      ['its stream, within its place', sql`is_call = true`],
    ])(
      'an event of which somebody changed %s is named, between its neighbours',
      async (_, change) => {
        const { tenant, ids } = await nine()
        await sql`update events set ${change} where ${rowOf(ids[4])}`.execute(db())
        const [problem, ...more] = await problemsOf(tenant)
        expect(more).toEqual([])
        expect(problem).toMatchObject({
          kind: 'changed',
          segment: 2,
          afterEvent: ids[3],
          beforeEvent: ids[5],
          missing: 1,
        })
        expect(problem?.found?.map(streamOf)).toEqual([streamOf(ids[4])])
      },
    )

    test('an event that was deleted leaves a gap between two others', async () => {
      const { tenant, ids } = await nine()
      await sql`delete from events where ${rowOf(ids[4])}`.execute(db())
      await sql`delete from events where ${rowOf(ids[6])}`.execute(db())
      await sql`delete from events where ${rowOf(ids[8])}`.execute(db())
      expect(await problemsOf(tenant)).toEqual([
        { kind: 'removed', segment: 2, afterEvent: ids[3], beforeEvent: ids[5], missing: 1 },
        { kind: 'removed', segment: 3, afterEvent: ids[5], beforeEvent: ids[7], missing: 1 },
        { kind: 'removed', segment: 3, afterEvent: ids[7], missing: 1 },
      ])
    })

    test('an event that was slipped in among sealed ones is named', async () => {
      const { tenant, ids } = await nine()
      await sql`insert into events select tenant, era, xid, gen_random_uuid(), 1, 1, is_call,
        session_id, agent, principal, types, items from events where ${rowOf(ids[4])}`.execute(db())
      const problems = await problemsOf(tenant)
      expect(problems).toHaveLength(1)
      expect(problems[0]).toMatchObject({ kind: 'inserted', segment: 2 })
      expect(problems[0]?.found).toHaveLength(1)
    })

    test('two events that changed places are both named', async () => {
      const { tenant, ids } = await nine()
      const [left, right] = [parseCursor(ids[0] ?? ''), parseCursor(ids[2] ?? '')]
      await sql`update events set xid = case when ${rowOf(ids[0])} then ${right.xid}::xid8
        else ${left.xid}::xid8 end where tenant = ${tenant} and (${rowOf(ids[0])} or ${rowOf(ids[2])})`.execute(
        db(),
      )
      const problems = await problemsOf(tenant)
      expect(problems.map(({ kind, segment }) => [kind, segment])).toEqual([
        ['changed', 1],
        ['changed', 1],
      ])
      expect(new Set(problems.flatMap(({ found }) => found?.map(streamOf)))).toEqual(
        new Set([streamOf(ids[0]), streamOf(ids[2])]),
      )
    })

    test('segments that were taken out, cut off or edited are missed', async () => {
      const { tenant } = await nine()
      const segment = (number: number) => sql`tenant = ${tenant} and number = ${number}`
      await sql`delete from audit_segments where ${segment(2)}`.execute(db())
      expect(await problemsOf(tenant)).toEqual([{ kind: 'segments_missing', segment: 2 }])
      await sql`delete from audit_segments where ${segment(3)}`.execute(db())
      expect(await problemsOf(tenant)).toEqual([{ kind: 'end_changed', segment: 3 }])
      for (const change of [
        sql`events = events + 1`,
        sql`sealed_ms = 0`,
        sql`until_ms = 0`,
        sql`marks = null, removed_rows = rows, removed_proof = digest`,
        sql`removed = '\\x01', removed_rows = 1, removed_proof = digest`,
        sql`digest = previous`,
      ]) {
        const edited = await nine()
        await sql`update audit_segments set ${change} where tenant = ${edited.tenant} and number = 2`.execute(
          db(),
        )
        expect((await problemsOf(edited.tenant))[0]).toEqual({
          kind: 'segment_changed',
          segment: 2,
        })
      }
    })

    test('an end that was cut off with its events is missed, and sealing on does not hide it', async () => {
      const { tenant, ids } = await nine()
      await sql`delete from events where tenant = ${tenant} and stream = any (${`{${ids
        .slice(6)
        .map(streamOf)
        .join(',')}}`}::uuid[])`.execute(db())
      await sql`delete from audit_segments where tenant = ${tenant} and number = 3`.execute(db())
      const { to } = await store().audit.check(tenant, { after: 0 })
      await sql`update audit_heads set number = 2, digest = decode(${to?.digest ?? ''}, 'hex')
        where tenant = ${tenant}`.execute(db())
      expect(await problemsOf(tenant)).toEqual([{ kind: 'end_changed', segment: 2 }])
      const principal = { kind: 'user', id: 'anna' } as const
      const event = eventOf('secret.written', { name: 'more' }, Date.now())
      await store().events.record([{ tenant, principal, events: [event] }])
      await store().audit.seal(tenant)
      expect(await problemsOf(tenant)).toEqual([{ kind: 'sealed_after_break', segment: 3 }])
    })

    test('a chain that was rebuilt as a whole differs from the checkpoint that was kept elsewhere', async () => {
      const { tenant, ids } = await nine()
      const anchor = await anchorOf(tenant)
      expect(await problemsOf(tenant, [anchor])).toEqual([])
      await sql`update events set principal = 'user:mallory' where ${rowOf(ids[1])}`.execute(db())
      await sql`delete from audit_segments where tenant = ${tenant}`.execute(db())
      await sql`delete from audit_heads where tenant = ${tenant}`.execute(db())
      await store().audit.seal(tenant)
      // Without what was kept, this is a chain like any other: that is what it is kept for.
      expect(await problemsOf(tenant)).toEqual([])
      expect(await problemsOf(tenant, [anchor])).toEqual([{ kind: 'anchor_missing', segment: 3 }])
      const first = { ...anchor, number: 1 }
      expect(await problemsOf(tenant, [first])).toEqual([{ kind: 'anchor_differs', segment: 1 }])
    })

    test('an unreadable row is reported and stops neither sealing nor reading', async () => {
      const { tenant, ids } = await nine()
      await sql`update events set items = '[[nonsense' where ${rowOf(ids[4])}`.execute(db())
      expect(await problemsOf(tenant)).toMatchObject([{ kind: 'changed', segment: 2 }])
      const page = await store().audit.list(tenant, { order: 'newest', limit: 100 })
      expect(page.items).toHaveLength(8)
    })
  })
}

const noAnchors: { number: number; digest: string }[] = []
