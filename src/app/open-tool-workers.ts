import type { ToolIsolator } from '../core/isolate-tool.ts'
import { createToolWorkers } from '../host/workers/create-tool-workers.ts'
import type { Config } from './config/config-schema.ts'

/** Beside us the files end in .ts in a checkout and in .js once built. */
const ending = import.meta.url.endsWith('.ts') ? '.ts' : '.js'

/** The workers of isolated tools; none is started before one is called. */
export function openToolWorkers({
  toolWorkers,
  toolWorkerMemoryMb,
}: Pick<Config['limits'], 'toolWorkers' | 'toolWorkerMemoryMb'>): ToolIsolator {
  return createToolWorkers({
    module: new URL(`./tool-worker${ending}`, import.meta.url).href,
    workers: toolWorkers,
    memoryMb: toolWorkerMemoryMb,
  })
}
