import type { Transaction } from 'kysely'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { EventFact } from '../../../core/events/event.ts'
import { createId, storeTime } from '../../../core/kernel/ids.ts'
import { emailTaken } from '../../../core/people/member-rules.ts'
import type { Member } from '../../../core/people/member.ts'
import { linkIsOver } from '../../../core/sign-in/sign-in.ts'
import { signInIdleMs } from '../../../core/sign-in/sign-in.ts'
import type { OpenedSignIn } from '../../../core/sign-in/sign-in.ts'
import type { Entry } from '../sign-in-store.ts'
import { toStoredText, toStoredTextOrNull } from '../../../store/log/stored-text.ts'
import { recordEvents } from '../../../store/log/record-events.ts'
import { toMember } from '../../people/member-rows.ts'
import type { Tables } from '../../../store/tables.ts'
import { createSecretToken, hashToken } from '../../../store/one-time-token.ts'
import { toSignIn } from './verify-sign-in.ts'

/** The most browsers a member can be signed in on; a new one ends the longest unused. */
const signInsAtMost = 50

/** One sign-in in one transaction: an error undoes all of it, including the use of a token. */
export async function openSignIn(
  db: Transaction<Tables>,
  entry: Entry,
  now: number,
): Promise<OpenedSignIn> {
  const tenant = toStoredText(entry.tenant)
  await assertTenant(db, tenant)
  if (entry.spends !== undefined) await spend(db, tenant, { ...entry.spends, now })
  const member = await findOrJoin(db, entry)
  // The browser's earlier sign-in ends: nobody can plant a cookie that outlives this one.
  const { token: old } = entry.visitor
  if (old !== undefined) {
    await db.deleteFrom('sessions').where('hash', '=', hashToken(old)).execute()
  }
  const token = createSecretToken()
  const row = await db
    .insertInto('sessions')
    .values({
      hash: hashToken(token),
      id: createId('ses'),
      tenant,
      member: member.id,
      method: entry.method,
      user_agent: toStoredTextOrNull(entry.visitor.userAgent?.slice(0, 300)),
      address: toStoredTextOrNull(entry.visitor.address?.slice(0, 100)),
      created_ms: now,
      last_seen_ms: now,
      expires_ms: now + signInIdleMs,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await removeExcess(db, tenant, member.id)
  const data = { session: row.id, ...toFacts(entry) }
  await recordEventOf(db, member, { type: 'member.signed_in', data })
  return { token, signIn: toSignIn(row), member }
}

function toFacts({ method, via, visitor }: Entry) {
  const { address } = visitor
  return { method, ...(via !== undefined && { via }), ...(address !== undefined && { address }) }
}

async function assertTenant(db: Transaction<Tables>, tenant: string): Promise<void> {
  const row = await db
    .selectFrom('tenants')
    .select('status')
    .where('slug', '=', tenant)
    .where('deleted_ms', 'is', null)
    .executeTakeFirst()
  if (row === undefined) throw signInFailed()
  if (row.status !== 'active') throw new ToolError('tenant_suspended', 'The tenant is suspended')
}

async function spend(
  db: Transaction<Tables>,
  tenant: string,
  { kind, token, now }: { kind: string; token: string; now: number },
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('one_time_tokens')
    .set({ used_ms: now })
    .where('hash', '=', hashToken(token))
    .where('tenant', '=', tenant)
    .where('kind', '=', kind)
    .where('used_ms', 'is', null)
    .where('expires_ms', '>', now)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw linkIsOver()
}

async function findOrJoin(db: Transaction<Tables>, entry: Entry): Promise<Member> {
  const { who } = entry
  if ('joins' in who) return join(db, entry, who)
  const row = await db
    .selectFrom('members')
    .selectAll()
    .where('tenant', '=', toStoredText(entry.tenant))
    .where('id', '=', toStoredText(who.id))
    .where('status', '=', 'active')
    .executeTakeFirst()
  if (row === undefined) throw signInFailed()
  return toMember(row)
}

async function join(
  db: Transaction<Tables>,
  entry: Entry,
  { joins, passwordHash }: Extract<Entry['who'], { joins: unknown }>,
): Promise<Member> {
  const now = storeTime()
  const row = await db
    .insertInto('members')
    .values({
      tenant: toStoredText(entry.tenant),
      id: createId('mem'),
      email: joins.email,
      name: toStoredText(joins.name),
      role: joins.role,
      permissions: JSON.stringify(joins.permissions),
      status: 'active',
      password_hash: passwordHash ?? null,
      created_ms: now,
      updated_ms: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) throw emailTaken(joins.email)
  const member = toMember(row)
  const { id, name, role, permissions } = member
  const facts = { id, name, role, permissions: [...permissions], email: joins.email }
  await recordEventOf(db, member, { type: 'member.joined', data: { ...facts, ...toFacts(entry) } })
  return member
}

async function removeExcess(
  db: Transaction<Tables>,
  tenant: string,
  member: string,
): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('hash', 'in', (query) =>
      query
        .selectFrom('sessions')
        .select('hash')
        .where('tenant', '=', tenant)
        .where('member', '=', member)
        .orderBy('last_seen_ms', 'desc')
        .orderBy('id', 'desc')
        .offset(signInsAtMost)
        .limit(1000),
    )
    .execute()
}

async function recordEventOf(
  db: Transaction<Tables>,
  { tenant, id }: Member,
  fact: EventFact,
): Promise<void> {
  const principal = { kind: 'user', id } as const
  await recordEvents(db, [{ tenant, principal, event: { ...fact, at: storeTime() } }])
}

function signInFailed(): ToolError {
  return new ToolError('sign_in_failed', 'This member cannot sign in', {
    fix: 'Ask an administrator of the tenant.',
  })
}
