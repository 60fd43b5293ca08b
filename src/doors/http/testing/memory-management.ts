import type { CoreApi } from '../../../core/crib-api.ts'
import type { SignInDoor } from '../../../core/sign-in/sign-in.ts'
import { memoryLibrary } from './memory-library.ts'
import { memoryMcpServers } from './memory-mcp-servers.ts'

type Management = Omit<
  CoreApi,
  | keyof SignInDoor
  | 'runOperation'
  | 'authenticate'
  | 'actIn'
  | 'call'
  | 'complete'
  | 'reportProgress'
  | 'followEvents'
  | 'followChanges'
>

/** The parts of the memory crib that are not about calls. */
export function memoryManagement(health: { status: 'ok' | 'failing' }): Management {
  return {
    watchAccess: () => () => undefined,
    ...memoryLibrary(),
    ...memoryMcpServers(),
    loadReports: () => [],
    health: async () => ({
      status: health.status,
      version: '0.0.0',
      store: 'pglite',
      checks: { store: { ok: health.status === 'ok', message: 'host db.internal:5432' } },
    }),
    metrics: async () => '# TYPE toolcrib_calls_total counter\ntoolcrib_calls_total 1\n',
  }
}
