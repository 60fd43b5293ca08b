import { ToolError } from '../core/errors.ts'
import type { PipelinePorts } from '../core/pipeline/ports.ts'
import { recoverCalls } from '../core/pipeline/recover-calls.ts'
import type { Store } from '../core/ports.ts'

interface NodeWorkOptions {
  store: Store
  ports: PipelinePorts
  nodeTimeoutMs: number
}

/** How soon a cancel that another node was asked for reaches the call here. */
const cancelEveryMs = 1000

/**
 * What a node does beside answering: it brings the calls of dead nodes to an end, first its own
 * predecessor's, and hears cancels that came in elsewhere. Embedded, it is alone and needs only the first.
 */
export async function startNodeWork({
  store,
  ports,
  nodeTimeoutMs,
}: NodeWorkOptions): Promise<{ stop(): void }> {
  const recovered = await recoverCalls(store.calls, ports)
  if (recovered > 0)
    ports.onWarning(`${recovered} calls were cut off by a stop and have been brought to an end`)
  if (store.kind === 'pglite') return { stop: () => undefined }

  const report = (error: unknown) =>
    ports.onWarning(`Looking after other nodes failed: ${String(error)}`)
  const recovery = setInterval(() => {
    recoverCalls(store.calls, ports).catch(report)
  }, nodeTimeoutMs / 3)
  const cancels = setInterval(() => {
    cancelAsked(store, ports).catch(report)
  }, cancelEveryMs)
  recovery.unref()
  cancels.unref()
  return {
    stop() {
      clearInterval(recovery)
      clearInterval(cancels)
    },
  }
}

async function cancelAsked(store: Store, ports: PipelinePorts): Promise<void> {
  const ids = ports.running.ids()
  if (ids.length === 0) return
  for (const id of await store.calls.cancelRequested(ids)) {
    ports.running.find(id)?.abort(new ToolError('cancelled', 'Cancelled through another node'))
  }
}
