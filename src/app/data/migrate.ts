import { ToolError } from '../../core/kernel/errors.ts'
import { assertDataFolder, hasDatabase, markMoved } from './data-folder.ts'
import { readGivenMasterKeys } from './given-secrets.ts'
import { copyStore } from '../../store/copy-store.ts'
import { loadMasterKeys } from '../../store/master-key.ts'
import type { MigrateProgress, MigrateReport, ServerOptions } from '../../doors/cli/environment.ts'

/** Copies an embedded crib into an empty PostgreSQL; the folder stays as it is. */
export async function migrate(
  options: ServerOptions & { to: string },
  onProgress: (progress: MigrateProgress) => void,
): Promise<MigrateReport> {
  const startedAt = performance.now()
  await assertDataFolder(options.data)
  if (!(await hasDatabase(options.data))) throw nothingToMove(options.data)
  const text = await readGivenMasterKeys(process.env)
  const counts = await copyStore({
    from: { kind: 'pglite', dataDir: options.data },
    to: { kind: 'postgres', url: options.to },
    masterKeys: await loadMasterKeys({ dataDir: options.data, text }),
    onProgress: ({ table, copied, total }) => onProgress({ table, done: copied, total }),
    onWarning: (message) => process.stderr.write(`toolcrib: ${message}\n`),
  })
  await markMoved(options.data, options.to)
  const tables = Object.entries(counts).map(([table, rows]) => ({ table, rows }))
  return { tables, durationMs: Math.round(performance.now() - startedAt) }
}

function nothingToMove(data: string): ToolError {
  return new ToolError('data_damaged', `The data folder ${data} has no database to move.`, {
    fix: 'Put the database back first (toolcrib restore FILE --data DIR), or check --data.',
  })
}
