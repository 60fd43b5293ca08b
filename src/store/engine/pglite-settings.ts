import { PGlite } from '@electric-sql/pglite'
import { schemaName } from './migrate.ts'

/**
 * How the embedded engine starts. 16 MB of buffers instead of 128 keep an idle server under 300 MB;
 * the small WAL keeps recovery after a kill short. JIT does not exist there and planning for it costs.
 */
export function pgliteStartParams(): string[] {
  const settings = {
    search_path: schemaName,
    shared_buffers: '16MB',
    max_wal_size: '64MB',
    min_wal_size: '32MB',
    jit: 'off',
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return [...PGlite.defaultStartParams, ...flags]
}
