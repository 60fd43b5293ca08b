import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { ApiKey, VisitorRequest } from '../../../core/vault-ports.ts'
import { createApiKeyToken } from '../create-api-key-token.ts'
import { toStoredText, toStoredTextOrNull } from '../../../store/log/stored-text.ts'
import { recordEventOf } from '../../../store/log/record-events.ts'
import type { Tables } from '../../../store/tables.ts'
import { toApiKey } from './key-rows.ts'

/** A visitor's key, and the digest that its tokens are signed with. */
export interface VisitorKey {
  key: ApiKey
  hash: Uint8Array
}

/** The visitor's key below `parent`, with the rights given now; created on the first visit. */
export async function admitVisitor(
  transaction: Transaction<Tables>,
  { tenant, parent, visitor, scopes, agent, untilMs, now }: VisitorRequest & { now: number },
): Promise<VisitorKey> {
  const by = await transaction
    .selectFrom('api_keys')
    .select(['expires_ms', 'maker'])
    .where('tenant', '=', toStoredText(tenant))
    .where('id', '=', toStoredText(parent))
    .where('revoked_ms', 'is', null)
    .forShare()
    .executeTakeFirst()
  if (by === undefined) throw new ToolError('unauthorized', 'This key was revoked')
  const rights = {
    scopes: JSON.stringify(scopes),
    agent: toStoredTextOrNull(agent),
    expires_ms: by.expires_ms,
    maker: by.maker,
    // A token counts as a use: until it expires, its key is not removed as unused.
    last_used_ms: now,
  }
  const row = await transaction
    .insertInto('api_keys')
    .values({
      id: createApiKeyToken().id,
      tenant: toStoredText(tenant),
      name: toStoredText(visitor),
      hash: randomBytes(32),
      created_ms: now,
      parent: toStoredText(parent),
      visitor: toStoredText(visitor),
      ...rights,
    })
    .onConflict((conflict) =>
      conflict.columns(['parent', 'visitor']).where('parent', 'is not', null).doUpdateSet(rights),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
  if (row.revoked_ms !== null) throw visitorRevoked(visitor)
  const key = toApiKey(row)
  const data = { id: key.id, parent, visitor, scopes: [...scopes], ...(agent && { agent }) }
  await recordEventOf(
    transaction,
    { tenant, by: { kind: 'key', id: parent } },
    {
      type: 'key.token_issued',
      data: { ...data, expiresAt: new Date(untilMs).toISOString() },
    },
  )
  return { key, hash: row.hash }
}

/**
 * Removes visitors' keys that were not used since, with nothing left that runs for them or that they
 * could come back to. A blocked visitor stays blocked for as long as the parent key can issue tokens.
 */
export async function removeVisitors(
  db: Transaction<Tables>,
  { tenant, beforeMs, limit }: { tenant: string; beforeMs: number; limit: number },
): Promise<number> {
  const before = Math.trunc(beforeMs)
  const principal = sql`('key:' || k.id) collate "C"`
  const { rows } = await sql`delete from api_keys where id = any (array(
      select k.id from api_keys k join api_keys p on p.id = k.parent
      where k.tenant = ${tenant} and greatest(k.created_ms, k.last_used_ms) < ${before}
        and (k.revoked_ms is null or p.revoked_ms < ${before} or p.expires_ms < ${before})
        and not exists (select from conversations c
          where c.tenant = k.tenant and c.principal = ${principal})
        and not exists (select from calls c
          where c.tenant = k.tenant and c.settled_ms is null and c.principal = ${principal})
        and not exists (select from schedules s
          where s.tenant = k.tenant and position(k.id in s.spec) > 0)
      limit ${limit} for update of k skip locked))
    returning id`.execute(db)
  return rows.length
}

function visitorRevoked(visitor: string): ToolError {
  return new ToolError('forbidden', `The key of visitor ${JSON.stringify(visitor)} was revoked`, {
    fix: 'Use another name for the visitor if they may come in again.',
  })
}
