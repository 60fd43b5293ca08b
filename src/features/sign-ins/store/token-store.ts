import type { Selectable, Transaction } from 'kysely'
import type { EventEntry } from '../../../core/events/event.ts'
import { createId } from '../../../core/kernel/ids.ts'
import type { JsonValue } from '../../../core/kernel/json.ts'
import type { OneTime, OneTimeTokens, TokenKind } from '../sign-in-store.ts'
import { changeIn, guarded } from '../../../store/engine/change-in.ts'
import type { Engine } from '../../../store/engine/engine.ts'
import { toStoredText } from '../../../store/log/stored-text.ts'
import { recordEvents } from '../../../store/log/record-events.ts'
import type { OneTimeTokensTable } from '../tables.ts'
import type { Tables } from '../../../store/tables.ts'
import { createSecretToken, hashToken } from '../../../store/one-time-token.ts'

const prefixes: Readonly<Record<TokenKind, string>> = {
  'sign-in': 'lnk',
  invitation: 'inv',
  oidc: 'ask',
}
const listAtMost = 1000

/** Tokens that work once, on either engine. */
export function createTokenStore(engine: Engine): OneTimeTokens {
  return {
    create: (request) => changeIn(engine, (db) => create(db, request, engine.now())),
    find: (kind, token) =>
      guarded(async () => {
        const row = await engine.db
          .selectFrom('one_time_tokens')
          .selectAll()
          .where('hash', '=', hashToken(token))
          .where('kind', '=', kind)
          .where('used_ms', 'is', null)
          .where('expires_ms', '>', engine.now())
          .executeTakeFirst()
        return row && toOneTime(row)
      }),
    take: (kind, token) =>
      guarded(async () => {
        const row = await engine.db
          .updateTable('one_time_tokens')
          .set({ used_ms: engine.now() })
          .where('hash', '=', hashToken(token))
          .where('kind', '=', kind)
          .where('used_ms', 'is', null)
          .where('expires_ms', '>', engine.now())
          .returningAll()
          .executeTakeFirst()
        return row && toOneTime(row)
      }),
    list: (tenant, kind) =>
      guarded(async () => {
        const rows = await engine.db
          .selectFrom('one_time_tokens')
          .selectAll()
          .where('tenant', '=', toStoredText(tenant))
          .where('kind', '=', kind)
          .where('used_ms', 'is', null)
          .orderBy('id', 'desc')
          .limit(listAtMost)
          .execute()
        return rows.map(toOneTime)
      }),
    revoke: (tenant, which, told) =>
      changeIn(engine, (db) => revoke(db, { tenant, ...which }, told)),
  }
}

async function create(
  db: Transaction<Tables>,
  { kind, tenant, facts, lifetimeMs, told }: Parameters<OneTimeTokens['create']>[0],
  now: number,
): Promise<OneTime & { token: string }> {
  const token = createSecretToken()
  const row = await db
    .insertInto('one_time_tokens')
    .values({
      hash: hashToken(token),
      id: createId(prefixes[kind]),
      kind,
      tenant: toStoredText(tenant),
      facts: JSON.stringify(facts),
      created_ms: now,
      expires_ms: now + lifetimeMs,
      used_ms: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const made = toOneTime(row)
  if (told !== undefined) await recordEvents(db, [{ tenant: row.tenant, ...told(made) }])
  return { ...made, token }
}

async function revoke(
  db: Transaction<Tables>,
  { tenant, kind, id }: { tenant: string; kind: TokenKind; id: string },
  told: EventEntry,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('one_time_tokens')
    .where('tenant', '=', toStoredText(tenant))
    .where('kind', '=', kind)
    .where('id', '=', toStoredText(id))
    .where('used_ms', 'is', null)
    .executeTakeFirst()
  if (numDeletedRows === 0n) return false
  await recordEvents(db, [{ tenant, ...told }])
  return true
}

function toOneTime(row: Selectable<OneTimeTokensTable>): OneTime {
  return {
    id: row.id,
    kind: row.kind as TokenKind,
    tenant: row.tenant,
    facts: JSON.parse(row.facts) as JsonValue,
    createdAt: new Date(row.created_ms).toISOString(),
    expiresAt: new Date(row.expires_ms).toISOString(),
  }
}
