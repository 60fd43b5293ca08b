import { sql } from 'kysely'
import type { Selectable, Transaction } from 'kysely'
import { ToolError } from '../../../core/kernel/errors.ts'
import { createUuid, storeTime } from '../../../core/kernel/ids.ts'
import type {
  SecretChange,
  SecretNotes,
  SecretScope,
  SecretSummary,
  SecretVault,
} from '../../../core/vault-ports.ts'
import type { Engine } from '../../../store/engine/engine.ts'
import { changeIn, guarded } from '../../../store/engine/change-in.ts'
import { toStoredText } from '../../../store/log/stored-text.ts'
import type { MasterKeyRing } from '../../../store/master-key.ts'
import { recordEventOf } from '../../../store/log/record-events.ts'
import type { Tables } from '../../../store/tables.ts'
import type { SecretsTable } from '../tables.ts'
import { openEnvelope, sealEnvelope } from '../../../store/sealing/envelope.ts'
import { findKey } from '../../../store/sealing/key-checks.ts'
import type { SealedTable } from '../../../store/sealing/sealed-rows.ts'
import { changeNotes, summaryColumns, toNoteColumns, toSummary } from './secret-notes.ts'

const namePattern = /^[A-Za-z_][A-Za-z0-9_.-]{0,99}$/
const maxBytes = 64 * 1024
/** Format, IV and tag: what an empty value comes to, as a content's ciphertext is as long as itself. */
const emptySealedBytes = 29

type SecretRow = Selectable<SecretsTable>

/** Keys of secrets, for a rotation. */
export const sealedSecrets: SealedTable = {
  table: 'secrets',
  toBinding: (row: SecretRow) => bindingOf(row),
}

/** Secrets at rest: each version under a key of its own, bound to tenant, agent, name and row. */
export function createSecretVault(engine: Engine, ring: MasterKeyRing): SecretVault {
  return {
    async write({ notes = {}, ...change }, name, value) {
      const summary = await changeIn(engine, (transaction) =>
        writeSecret(transaction, ring, { ...change, name, value, notes }),
      )
      engine.announce('rules')
      return summary
    },
    note: (change, name, notes) =>
      changeIn(engine, (transaction) => changeNotes(transaction, { ...change, name, notes })),
    async delete(change, name) {
      const isGone = await changeIn(engine, (transaction) =>
        deleteSecret(transaction, { ...change, name }),
      )
      engine.announce('rules')
      return isGone
    },
    list: (tenant) => guarded(() => listSecrets(engine, tenant)),
    read: (scope, names) => guarded(() => readSecrets(engine, ring, { scope, names })),
  }
}

async function listSecrets({ db }: Engine, tenant: string): Promise<SecretSummary[]> {
  const rows = await db
    .selectFrom('secrets')
    .select(summaryColumns)
    .select(sql<boolean>`length(sealed) <= ${sql.lit(emptySealedBytes)}`.as('is_empty'))
    .where('tenant', '=', toStoredText(tenant))
    .orderBy('name')
    .orderBy('agent')
    .execute()
  return rows.map((row) => ({ ...toSummary(row), ...(row.is_empty && { isEmpty: true as const }) }))
}

async function deleteSecret(
  transaction: Transaction<Tables>,
  { tenant, agent, by, name }: SecretChange & { name: string },
): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('secrets')
    .where('tenant', '=', toStoredText(tenant))
    .where('agent', '=', toStoredText(agent ?? ''))
    .where('name', '=', toStoredText(name))
    .executeTakeFirst()
  if (numDeletedRows === 0n) return false
  await recordEventOf(
    transaction,
    { tenant, by },
    { type: 'secret.deleted', data: toData({ name, agent }) },
  )
  return true
}

async function writeSecret(
  transaction: Transaction<Tables>,
  ring: MasterKeyRing,
  {
    tenant,
    agent,
    by,
    name,
    value,
    notes,
  }: SecretChange & { name: string; value: string; notes: SecretNotes },
): Promise<SecretSummary> {
  checkSecret(name, value)
  // A new id with every version: what was sealed for one does not open in the row of another. A whole
  // old row does, id and all; that is what a restored backup is made of.
  const place = {
    id: createUuid(),
    tenant: toStoredText(tenant),
    agent: toStoredText(agent ?? ''),
    name,
  }
  const keyId = ring.activeId
  const content = Buffer.from(value, 'utf8')
  const { wrappedKey, sealed } = sealEnvelope(findKey(ring, keyId), content, bindingOf(place))
  // The expiry belongs to the old value and goes with it; the description stays.
  const columns = toNoteColumns({ expiresAt: null, ...notes })
  const row = await transaction
    .insertInto('secrets')
    .values({
      ...place,
      version: 1,
      key_id: keyId,
      wrapped_key: wrappedKey,
      sealed,
      updated_ms: storeTime(),
      ...columns,
    })
    .onConflict((conflict) =>
      conflict.columns(['tenant', 'agent', 'name']).doUpdateSet((eb) => ({
        id: eb.ref('excluded.id'),
        version: eb('secrets.version', '+', 1),
        key_id: eb.ref('excluded.key_id'),
        wrapped_key: eb.ref('excluded.wrapped_key'),
        sealed: eb.ref('excluded.sealed'),
        updated_ms: eb.ref('excluded.updated_ms'),
        ...columns,
      })),
    )
    .returning(summaryColumns)
    .executeTakeFirstOrThrow()
  const data = { ...toData({ name, agent }), version: row.version }
  await recordEventOf(transaction, { tenant, by }, { type: 'secret.written', data })
  return toSummary(row)
}

function toData({ name, agent }: { name: string; agent?: string }) {
  return { name, ...(agent !== undefined && { agent }) }
}

function checkSecret(name: string, value: string): void {
  if (!namePattern.test(name)) {
    throw new ToolError('invalid_input', `${JSON.stringify(name)} can't be the name of a secret.`, {
      fix: 'A name starts with a letter or _, continues with letters, digits, _ . - and has at most 100 characters.',
    })
  }
  if (value.length === 0) {
    throw new ToolError('invalid_input', 'A secret is not empty.', {
      fix: 'Give it a value, or delete the secret.',
    })
  }
  if (value.includes('\0')) {
    throw new ToolError('invalid_input', 'A secret is text: this one holds a NUL character.')
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

/** The binding of a secret, which opens in no other row. */
function bindingOf({
  tenant,
  agent,
  name,
  id,
}: Pick<SecretRow, 'tenant' | 'agent' | 'name' | 'id'>): readonly string[] {
  const scope = agent === '' ? 'tenant' : `agent:${agent}`
  return [tenant, scope, name, id.replaceAll('-', '')]
}
