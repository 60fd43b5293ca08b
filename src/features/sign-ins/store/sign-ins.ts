import { storeTime } from '../../../core/kernel/ids.ts'
import type { Principal } from '../../../core/kernel/call.ts'
import type { SignIn } from '../../../core/sign-in/sign-in.ts'
import type { SignIns } from '../sign-in-store.ts'
import { changeIn, guarded } from '../../../store/engine/change-in.ts'
import type { Engine } from '../../../store/engine/engine.ts'
import { toStoredText } from '../../../store/log/stored-text.ts'
import { recordEvents } from '../../../store/log/record-events.ts'
import { hashToken } from '../../../store/one-time-token.ts'
import { openSignIn } from './open-sign-in.ts'
import { toSignIn } from './verify-sign-in.ts'
import type { SignInCheck } from './verify-sign-in.ts'

/** Sign-ins on either engine. Every node hears of one that ends. */
export function createSignIns(engine: Engine, check: SignInCheck): SignIns {
  const announce = () => {
    check.forget()
    engine.announce('rules')
  }
  async function end(tenant: string, by: Principal, which: Which): Promise<number> {
    const ended = await changeIn(engine, async (db) => {
      const rows = await selectEnding(db, tenant, which).execute()
      if (rows.length > 0) {
        const [{ member } = { member: '' }] = rows
        const data = { member, sessions: rows.length }
        const event = { type: 'member.signed_out', at: storeTime(), data } as const
        await recordEvents(db, [{ tenant, principal: by, event }])
      }
      return rows.length
    })
    announce()
    return ended
  }
  return {
    async open(entry) {
      const opened = await changeIn(engine, (db) => openSignIn(db, entry, engine.now()))
      // Most sign-ins end and change nothing else: then no node has to reload.
      if (entry.visitor.token !== undefined || 'joins' in entry.who) announce()
      return opened
    },
    verify: (token) => guarded(() => check.verify(token)),
    list: (tenant, member) => guarded(() => listLive(engine, tenant, member)),
    findMember: (tenant, id) => guarded(() => findMember(engine, tenant, id)),
    end: async (tenant, id, { principal, member }) =>
      (await end(toStoredText(tenant), principal, { id, member })) > 0,
    endAll: (tenant, member, { principal, except }) =>
      end(toStoredText(tenant), principal, { member, except }),
    async endByToken(token) {
      await changeIn(engine, async (db) => {
        const row = await db
          .deleteFrom('sessions')
          .where('hash', '=', hashToken(token))
          .returning(['tenant', 'member'])
          .executeTakeFirst()
        if (row === undefined) return
        const { tenant, member } = row
        const data = { member, sessions: 1 }
        const event = { type: 'member.signed_out', at: storeTime(), data } as const
        await recordEvents(db, [{ tenant, principal: { kind: 'user', id: member }, event }])
      })
      announce()
    },
  }
}

async function listLive({ db, now }: Engine, tenant: string, member: string): Promise<SignIn[]> {
  const rows = await db
    .selectFrom('sessions')
    .selectAll()
    .where('tenant', '=', toStoredText(tenant))
    .where('member', '=', toStoredText(member))
    .where('expires_ms', '>', now())
    .orderBy('created_ms', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(toSignIn)
}

async function findMember({ db }: Engine, tenant: string, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('sessions')
    .select('member')
    .where('tenant', '=', toStoredText(tenant))
    .where('id', '=', toStoredText(id))
    .executeTakeFirst()
  return row?.member
}

interface Which {
  id?: string
  member?: string
  except?: string
}

function selectEnding(
  db: Pick<Engine['db'], 'deleteFrom'>,
  tenant: string,
  { id, member, except }: Which,
) {
  let query = db.deleteFrom('sessions').where('tenant', '=', tenant)
  if (id !== undefined) query = query.where('id', '=', toStoredText(id))
  if (member !== undefined) query = query.where('member', '=', toStoredText(member))
  if (except !== undefined) query = query.where('id', '!=', toStoredText(except))
  return query.returning('member')
}
