import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import type { Principal } from '../../../core/kernel/call.ts'
import { createId, storeTime } from '../../../core/kernel/ids.ts'
import type { EventFact } from '../../../core/events/event.ts'
import {
  assertOwnerStays,
  changeMember,
  describeChange,
} from '../../../core/people/member-rules.ts'
import { emailTaken } from '../../../core/people/member-rules.ts'
import { firstOwnerId } from '../../../core/people/member.ts'
import type { Member, MemberChange, MemberEdit, MemberStore } from '../../../core/people/member.ts'
import { changeIn, guarded } from '../../../store/engine/change-in.ts'
import type { Engine } from '../../../store/engine/engine.ts'
import { toStoredText } from '../../../store/log/stored-text.ts'
import { recordEvents } from '../../../store/log/record-events.ts'
import type { Tables } from '../../../store/tables.ts'
import { toMember } from '../member-rows.ts'
import { toPage, toPageLimit } from '../../../store/engine/page.ts'

const maxPage = 1000

/** Ends what a removed member answers for, in the same transaction. */
export type EndBelongings = (
  db: Transaction<Tables>,
  member: { tenant: string; id: string; by: Principal },
) => Promise<void>

/** Members on either engine. */
export function createMemberStore(engine: Engine, endBelongings: EndBelongings): MemberStore {
  async function change<T>(tenant: string, work: (draft: Draft) => Promise<T>): Promise<T> {
    const result = await changeIn(engine, (transaction) => inTurn(transaction, tenant, work))
    engine.announce('rules')
    return result
  }
  return {
    create: (tenant, member, how) => change(tenant, (draft) => create(draft, member, how)),
    find: (tenant, id) => guarded(() => findOne(engine.db, tenant, { id })),
    findByEmail: (tenant, email) => guarded(() => findOne(engine.db, tenant, { email })),
    list: (tenant, query) => guarded(() => list(engine, tenant, query)),
    change: (tenant, id, edit) => change(tenant, (draft) => changeOne(draft, id, edit)),
    remove: (tenant, id, edit) =>
      change(tenant, async (draft) => {
        const before = await remove(draft, id, edit)
        if (before === undefined) return false
        await endBelongings(draft.db, { tenant: draft.tenant, id: before.id, by: edit.by })
        return true
      }),
    ensureOwner: (tenant) => change(tenant, ensureOwner),
    findWithPassword: (tenant, who) =>
      guarded(async () => {
        const row = await select(engine.db, tenant, who).executeTakeFirst()
        return row && { member: toMember(row), passwordHash: row.password_hash ?? undefined }
      }),
    setPasswordHash: (tenant, id, password) =>
      change(tenant, (draft) => setPassword(draft, id, password)),
  }
}

/** One tenant inside a transaction that holds its lock. */
interface Draft {
  db: Transaction<Tables>
  tenant: string
  record(by: Principal, fact: EventFact): Promise<void>
}

/** Changes to one tenant's members run one at a time, so that the last two owners can't remove each other. */
async function inTurn<T>(
  db: Transaction<Tables>,
  slug: string,
  work: (draft: Draft) => Promise<T>,
): Promise<T> {
  const tenant = toStoredText(slug)
  await sql`select pg_advisory_xact_lock(hashtext('toolcrib members of ' || ${tenant}))`.execute(db)
  return work({
    db,
    tenant,
    record: (principal, fact) =>
      recordEvents(db, [{ tenant, principal, event: { ...fact, at: storeTime() } }]),
  })
}

type Reader = Pick<Engine['db'], 'selectFrom'>
type Who = { id: string } | { email: string }

function select(db: Reader, tenant: string, who: Who) {
  const all = db.selectFrom('members').selectAll().where('tenant', '=', toStoredText(tenant))
  return 'id' in who
    ? all.where('id', '=', toStoredText(who.id))
    : all.where('email', '=', toStoredText(who.email))
}

async function findOne(db: Reader, tenant: string, who: Who): Promise<Member | undefined> {
  const row = await select(db, tenant, who).executeTakeFirst()
  return row && toMember(row)
}

async function list(
  engine: Engine,
  tenant: string,
  query: { after?: string; limit: number },
): ReturnType<MemberStore['list']> {
  const limit = toPageLimit(query.limit, maxPage)
  const rows = await engine.db
    .selectFrom('members')
    .selectAll()
    .where('tenant', '=', toStoredText(tenant))
    .where('id', '>', toStoredText(query.after ?? ''))
    .orderBy('id')
    .limit(limit + 1)
    .execute()
  return toPage(rows.map(toMember), limit, ({ id }) => id)
}

async function create(
  draft: Draft,
  member: Parameters<MemberStore['create']>[1],
  { by, event }: Parameters<MemberStore['create']>[2],
): Promise<Member> {
  const { email } = member
  if (email !== undefined && (await findOne(draft.db, draft.tenant, { email })) !== undefined) {
    throw emailTaken(email)
  }
  const made = await insert(draft, { ...member, id: createId('mem') })
  const { id, name, role, permissions } = made
  const facts = { id, name, role, permissions: [...permissions], ...(email && { email }) }
  await draft.record(by ?? { kind: 'user', id }, { type: event, data: facts })
  return made
}

type Insert = Pick<Member, 'id' | 'email' | 'name' | 'role' | 'permissions'>

async function insert({ db, tenant }: Draft, member: Insert): Promise<Member> {
  const now = storeTime()
  const row = await db
    .insertInto('members')
    .values({
      tenant,
      id: member.id,
      email: member.email ?? null,
      name: toStoredText(member.name),
      role: toStoredText(member.role),
      permissions: JSON.stringify(member.permissions),
      status: 'active',
      password_hash: null,
      created_ms: now,
      updated_ms: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toMember(row)
}

async function changeOne(
  draft: Draft,
  id: string,
  { by, check, change }: MemberEdit & { change: MemberChange },
): Promise<Member | undefined> {
  const { db, tenant } = draft
  const before = await findOne(db, tenant, { id })
  if (before === undefined) return undefined
  check?.(before)
  const after = changeMember(before, change)
  const facts = describeChange(before, after)
  if (facts === undefined) return before
  assertOwnerStays(before, after, await hasOtherOwner(draft, id))
  const { name, role, status } = after
  const permissions = JSON.stringify(after.permissions)
  await db
    .updateTable('members')
    .set({
      name: toStoredText(name),
      role: toStoredText(role),
      status,
      permissions,
      updated_ms: storeTime(),
    })
    .where('tenant', '=', tenant)
    .where('id', '=', before.id)
    .execute()
  if (status === 'suspended') await endSignIns(draft, before.id)
  await draft.record(by, { type: 'member.changed', data: facts })
  return after
}

async function endSignIns({ db, tenant }: Draft, id: string): Promise<void> {
  await db.deleteFrom('sessions').where('tenant', '=', tenant).where('member', '=', id).execute()
}

async function hasOtherOwner({ db, tenant }: Draft, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('members')
    .select('id')
    .where('tenant', '=', tenant)
    .where('role', '=', 'owner')
    .where('status', '=', 'active')
    .where('id', '!=', id)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

async function remove(
  draft: Draft,
  id: string,
  { by, check }: MemberEdit,
): Promise<Member | undefined> {
  const { db, tenant } = draft
  const before = await findOne(db, tenant, { id })
  if (before === undefined) return undefined
  check?.(before)
  assertOwnerStays(before, undefined, await hasOtherOwner(draft, id))
  await db.deleteFrom('members').where('tenant', '=', tenant).where('id', '=', before.id).execute()
  const { name, role, email } = before
  const data = { id: before.id, name, role, ...(email && { email }) }
  await draft.record(by, { type: 'member.removed', data })
  return before
}

async function ensureOwner(draft: Draft): Promise<Member> {
  const known = await findOne(draft.db, draft.tenant, { id: firstOwnerId })
  if (known !== undefined) return known
  return insert(draft, { id: firstOwnerId, name: 'Owner', role: 'owner', permissions: [] })
}

async function setPassword(
  draft: Draft,
  id: string,
  { hash, by }: Parameters<MemberStore['setPasswordHash']>[2],
): Promise<boolean> {
  const { numUpdatedRows } = await draft.db
    .updateTable('members')
    .set({ password_hash: hash ?? null, updated_ms: storeTime() })
    .where('tenant', '=', draft.tenant)
    .where('id', '=', toStoredText(id))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  const password = hash === undefined ? 'removed' : 'set'
  await draft.record(by, { type: 'member.changed', data: { id, password } })
  return true
}
