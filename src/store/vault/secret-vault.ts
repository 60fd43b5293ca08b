import type { Selectable } from 'kysely'
import { ToolError } from '../../core/errors.ts'
import { createUuid } from '../../core/ids.ts'
import type { SecretScope, SecretSummary, SecretVault } from '../../core/vault-ports.ts'
import type { Engine } from '../engine/engine.ts'
import { toStoreError } from '../engine/store-error.ts'
import { toStoredText } from '../log/stored-text.ts'
import type { MasterKeyRing } from '../master-key.ts'
import type { SecretsTable } from '../tables.ts'
import { openEnvelope, rewrapKey, sealEnvelope } from './envelope.ts'
import { findKey, rotatePepper } from './key-checks.ts'

const namePattern = /^[A-Za-z_][A-Za-z0-9_.-]{0,99}$/
const maxBytes = 64 * 1024
const rotatePage = 200

type SecretRow = Selectable<SecretsTable>

/** Secrets at rest: each version under a key of its own, bound to tenant, agent, name and row. */
export function createSecretVault(engine: Engine, ring: MasterKeyRing): SecretVault {
  return {
    write: (scope, name, value) => guarded(() => writeSecret(engine, ring, { scope, name, value })),
    delete: (scope, name) =>
      guarded(async () => {
        const { numDeletedRows } = await engine.db
          .deleteFrom('secrets')
          .where('tenant', '=', toStoredText(scope.tenant))
          .where('agent', '=', toStoredText(scope.agent ?? ''))
          .where('name', '=', toStoredText(name))
          .executeTakeFirst()
        return numDeletedRows > 0n
      }),
    list: (tenant) =>
      guarded(async () => {
        const rows = await engine.db
          .selectFrom('secrets')
          .select(['name', 'agent', 'version', 'updated_ms'])
          .where('tenant', '=', toStoredText(tenant))
          .orderBy('name')
          .orderBy('agent')
          .execute()
        return rows.map(toSummary)
      }),
    read: (scope, names) => guarded(() => readSecrets(engine, ring, { scope, names })),
    rotate: () => guarded(() => rotate(engine, ring)),
  }
}

async function writeSecret(
  engine: Engine,
  ring: MasterKeyRing,
  { scope, name, value }: { scope: SecretScope; name: string; value: string },
): Promise<SecretSummary> {
  checkSecret(name, value)
  // A new id with every version: what was sealed for one does not open in the row of another. A whole
  // old row does, id and all; that is what a restored backup is made of.
  const place = {
    id: createUuid(),
    tenant: toStoredText(scope.tenant),
    agent: toStoredText(scope.agent ?? ''),
    name,
  }
  const key = findKey(ring, ring.activeId)
  const { wrappedKey, sealed } = sealEnvelope(key, Buffer.from(value, 'utf8'), bindingOf(place))
  const row = await engine.db
    .insertInto('secrets')
    .values({
      ...place,
      version: 1,
      key_id: ring.activeId,
      wrapped_key: wrappedKey,
      sealed,
      updated_ms: Date.now(),
    })
    .onConflict((conflict) =>
      conflict.columns(['tenant', 'agent', 'name']).doUpdateSet((eb) => ({
        id: eb.ref('excluded.id'),
        version: eb('secrets.version', '+', 1),
        key_id: eb.ref('excluded.key_id'),
        wrapped_key: eb.ref('excluded.wrapped_key'),
        sealed: eb.ref('excluded.sealed'),
        updated_ms: eb.ref('excluded.updated_ms'),
      })),
    )
    .returning(['name', 'agent', 'version', 'updated_ms'])
    .executeTakeFirstOrThrow()
  return toSummary(row)
}

function checkSecret(name: string, value: string): void {
  if (!namePattern.test(name)) {
    throw new ToolError('invalid_input', `${JSON.stringify(name)} can't be the name of a secret.`, {
      fix: 'A name starts with a letter or _, goes on with letters, digits, _ . - and has at most 100 characters.',
    })
  }
  if (value.length === 0) {
    throw new ToolError('invalid_input', 'A secret is not empty.', {
      fix: 'Give it a value, or delete the secret.',
    })
  }
  if (!value.isWellFormed()) {
    throw new ToolError('invalid_input', 'A secret is text: this one holds half a surrogate pair.')
  }
  if (Buffer.byteLength(value) > maxBytes) {
    throw new ToolError('invalid_input', `A secret has at most ${maxBytes} bytes.`)
  }
}

async function readSecrets(
  engine: Engine,
  ring: MasterKeyRing,
  { scope, names }: { scope: SecretScope; names: readonly string[] },
): Promise<Map<string, string>> {
  const wanted = names.filter((name) => namePattern.test(name))
  if (wanted.length === 0) return new Map()
  const rows = await engine.db
    .selectFrom('secrets')
    .selectAll()
    .where('tenant', '=', toStoredText(scope.tenant))
    .where('agent', 'in', ['', toStoredText(scope.agent ?? '')])
    .where('name', 'in', wanted)
    // The agent's own comes last and so wins.
    .orderBy('agent')
    .execute()
  return new Map(rows.map((row) => [row.name, openSecret(ring, row)]))
}

function openSecret(ring: MasterKeyRing, row: SecretRow): string {
  const key = findKey(ring, row.key_id)
  try {
    const envelope = { wrappedKey: row.wrapped_key, sealed: row.sealed }
    return Buffer.from(openEnvelope(key, envelope, bindingOf(row))).toString('utf8')
  } catch (error) {
    throw new ToolError(
      'secret_missing',
      `The stored secret ${row.name} was altered and does not open.`,
      {
        fix: 'Write the secret again.',
        cause: error,
      },
    )
  }
}

/** Re-wraps page by page; content is never opened. A secret that is written meanwhile has the new key already. */
async function rotate(engine: Engine, ring: MasterKeyRing): Promise<number> {
  const to = findKey(ring, ring.activeId)
  let count = 0
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const rows = await engine.db
      .selectFrom('secrets')
      .selectAll()
      .where('key_id', '<>', ring.activeId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(rotatePage)
      .execute()
    for (const row of rows) {
      const from = findKey(ring, row.key_id)
      const wrapped = rewrapKey({ from, to }, row.wrapped_key, bindingOf(row))
      count += await replaceKey(engine, row, { keyId: ring.activeId, wrapped })
    }
    const last = rows.at(-1)
    if (last === undefined) break
    after = last.id
  }
  await rotatePepper(engine.db, ring)
  return count
}

async function replaceKey(
  engine: Engine,
  row: SecretRow,
  { keyId, wrapped }: { keyId: string; wrapped: Uint8Array },
): Promise<number> {
  const { numUpdatedRows } = await engine.db
    .updateTable('secrets')
    .set({ key_id: keyId, wrapped_key: wrapped })
    .where('id', '=', row.id)
    .where('key_id', '=', row.key_id)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

function bindingOf({
  tenant,
  agent,
  name,
  id,
}: Pick<SecretRow, 'tenant' | 'agent' | 'name' | 'id'>) {
  const scope = agent === '' ? 'tenant' : `agent:${agent}`
  return [tenant, scope, name, id.replaceAll('-', '')]
}

function toSummary(
  row: Pick<SecretRow, 'name' | 'agent' | 'version' | 'updated_ms'>,
): SecretSummary {
  const summary: SecretSummary = {
    name: row.name,
    version: row.version,
    updatedAt: new Date(row.updated_ms).toISOString(),
  }
  if (row.agent !== '') summary.agent = row.agent
  return summary
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toStoreError(error)
  }
}
