import { randomBytes } from 'node:crypto'
import type { Transaction } from 'kysely'
import { ToolError } from '../../core/kernel/errors.ts'
import type { ApiKey, VisitorRequest } from '../../core/vault-ports.ts'
import { createApiKeyToken } from '../api-key.ts'
import { toStoredText, toStoredTextOrNull } from '../log/stored-text.ts'
import { tellOf } from '../log/tell.ts'
import type { Tables } from '../tables.ts'
import { toApiKey } from './key-rows.ts'

/** A visitor's key, and the digest that its tokens are signed with. */
export interface VisitorKey {
  key: ApiKey
  hash: Uint8Array
}

/** The visitor's key below `parent`, with the rights given now; created on the first visit. */
export async function admitVisitor(
  transaction: Transaction<Tables>,
  { tenant, parent, visitor, scopes, agent, untilMs }: VisitorRequest,
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
  }
  const row = await transaction
    .insertInto('api_keys')
    .values({
      id: createApiKeyToken().id,
      tenant: toStoredText(tenant),
      name: toStoredText(visitor),
      hash: randomBytes(32),
      created_ms: Date.now(),
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
  await tellOf(
    transaction,
    { tenant, by: { kind: 'key', id: parent } },
    {
      type: 'key.token_issued',
      data: { ...data, expiresAt: new Date(untilMs).toISOString() },
    },
  )
  return { key, hash: row.hash }
}

function visitorRevoked(visitor: string): ToolError {
  return new ToolError('forbidden', `The key of visitor ${JSON.stringify(visitor)} was revoked`, {
    fix: 'Use another name for the visitor if they may come in again.',
  })
}
