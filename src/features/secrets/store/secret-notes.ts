import type { Transaction } from 'kysely'
import type { SecretChange, SecretNotes, SecretSummary } from '../../../core/vault-ports.ts'
import { recordEventOf } from '../../../store/log/record-events.ts'
import { toStoredText } from '../../../store/log/stored-text.ts'
import type { Tables } from '../../../store/tables.ts'
import type { SecretsTable } from '../tables.ts'

/** The columns that a list shows; none of them reveals anything about the value. */
export const summaryColumns = [
  'name',
  'agent',
  'version',
  'updated_ms',
  'description',
  'expires_ms',
] as const

type SummaryRow = Pick<SecretsTable, (typeof summaryColumns)[number]>

/** Notes as columns; omitted ones are left out, and null removes a note. */
export function toNoteColumns({ description, expiresAt }: SecretNotes) {
  return {
    ...(description !== undefined && {
      description: description === null ? null : toStoredText(description),
    }),
    ...(expiresAt !== undefined && { expires_ms: expiresAt?.getTime() ?? null }),
  }
}

/** Changes what is noted of a secret and leaves its value alone. Undefined where there is none. */
export async function changeNotes(
  transaction: Transaction<Tables>,
  { tenant, agent, by, name, notes }: SecretChange & { name: string; notes: SecretNotes },
): Promise<SecretSummary | undefined> {
  const columns = toNoteColumns(notes)
  const row = await transaction
    .updateTable('secrets')
    // Even with nothing to change there is a row to find.
    .set((eb) => ({ version: eb.ref('version'), ...columns }))
    .where('tenant', '=', toStoredText(tenant))
    .where('agent', '=', toStoredText(agent ?? ''))
    .where('name', '=', toStoredText(name))
    .returning(summaryColumns)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const data = { name, ...(agent !== undefined && { agent }), parts: Object.keys(notes) }
  await recordEventOf(transaction, { tenant, by }, { type: 'secret.changed', data })
  return toSummary(row)
}

/** A secret as it is listed. */
export function toSummary(row: SummaryRow): SecretSummary {
  const { name, agent, version, description, expires_ms: expiresMs } = row
  return {
    name,
    version,
    updatedAt: new Date(row.updated_ms).toISOString(),
    ...(agent !== '' && { agent }),
    ...(description !== null && { description }),
    ...(expiresMs !== null && { expiresAt: new Date(expiresMs).toISOString() }),
  }
}
