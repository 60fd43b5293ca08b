import { PGlite } from '@electric-sql/pglite'
import { schemaName } from '../migrate.ts'
import { plannerSettings, toFlags } from '../planner-settings.ts'

/**
 * How the embedded engine starts. 16 MB of buffers instead of 128 keep an idle server under 300 MB;
 * the small WAL keeps recovery after a kill short.
 */
export function pgliteStartParams(): string[] {
  const settings = {
    ...plannerSettings,
    search_path: schemaName,
    shared_buffers: '16MB',
    max_wal_size: '64MB',
    min_wal_size: '32MB',
  }
  return [...PGlite.defaultStartParams, ...toFlags(settings)]
}
