import { parentPort } from 'node:worker_threads'
import { serveTools } from '../host/workers/serve-tools.ts'
import { importTools } from './loader/import-tool-file.ts'
import { registerModuleHooks } from './loader/module-hooks.ts'

/**
 * Runs in the thread of an isolated tool. Its files see the same `toolcrib` and `zod` as elsewhere.
 */
export function startToolWorker(): void {
  if (parentPort === null) throw new Error('startToolWorker runs in a worker thread')
  registerModuleHooks()
  serveTools(parentPort, importTools)
}
