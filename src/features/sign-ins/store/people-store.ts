import { sql } from 'kysely'
import { ToolError } from '../../../core/kernel/errors.ts'
import { emailTaken } from '../../../core/people/member-rules.ts'
import { firstOwnerId } from '../../../core/people/member.ts'
import type { SignInPeople } from '../sign-in-store.ts'
import { changeIn, guarded } from '../../../store/engine/change-in.ts'
import type { Engine } from '../../../store/engine/engine.ts'
import { sqlState } from '../../../store/engine/store-error.ts'
import { toStoredText } from '../../../store/log/stored-text.ts'
import { recordEvents } from '../../../store/log/record-events.ts'
import { toMember } from '../../people/member-rows.ts'

/** Changes to members by signing in, on either engine. */
export function createPeopleStore(engine: Engine, onChange: () => void): SignInPeople {
  return {
    findOwner: (tenant) =>
      guarded(async () => {
        const row = await engine.db
          .selectFrom('members')
          .selectAll()
          .where('tenant', '=', toStoredText(tenant))
          .where('role', '=', 'owner')
          .where('status', '=', 'active')
          .orderBy(sql`id = ${firstOwnerId}`, 'desc')
          .orderBy('created_ms')
          .orderBy('id')
          .limit(1)
          .executeTakeFirst()
        return row && toMember(row)
      }),
    async setPassword(tenant, id, change) {
      await setPassword(engine, { tenant: toStoredText(tenant), id: toStoredText(id) }, change)
      onChange()
    },
    rehash: (tenant, id, { from, to }) =>
      guarded(async () => {
        await engine.db
          .updateTable('members')
          .set({ password_hash: to })
          .where('tenant', '=', toStoredText(tenant))
          .where('id', '=', toStoredText(id))
          .where('password_hash', '=', from)
          .execute()
      }),
    havePasswords: () =>
      guarded(async () => {
        const row = await engine.db
          .selectFrom('members')
          .select('id')
          .where('password_hash', 'is not', null)
          .limit(1)
          .executeTakeFirst()
        return row !== undefined
      }),
  }
}

async function setPassword(
  engine: Engine,
  { tenant, id }: { tenant: string; id: string },
  { hash, email, keep, by }: Parameters<SignInPeople['setPassword']>[2],
): Promise<void> {
  const fields = email === undefined ? ['password'] : ['password', 'email']
  const event = { type: 'member.changed', data: { id, fields } } as const
  await changeIn(engine, async (db) => {
    const row = await db
      .updateTable('members')
      .set({
        password_hash: hash,
        updated_ms: engine.now(),
        ...(email !== undefined && { email: sql<string>`coalesce(email, ${email})` }),
      })
      .where('tenant', '=', tenant)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst()
      .catch((error: unknown) => {
        if (sqlState(error) === '23505') throw emailTaken(email ?? '')
        throw error
      })
    if (row === undefined) throw new ToolError('not_found', 'There is no such member')
    let others = db.deleteFrom('sessions').where('tenant', '=', tenant).where('member', '=', id)
    if (keep !== undefined) others = others.where('id', '!=', toStoredText(keep))
    await others.execute()
    await recordEvents(db, [{ tenant, principal: by, event }])
  })
}
