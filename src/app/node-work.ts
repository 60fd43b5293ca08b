import { ToolError } from '../core/errors.ts'
import type { PipelinePorts } from '../core/pipeline/ports.ts'
import { recoverCalls } from '../core/pipeline/recover-calls.ts'
import type { Store } from '../core/ports.ts'

interface NodeWorkOptions {
  mayRecover: boolean
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
  mayRecover,
  store,
  ports,
  nodeTimeoutMs,
}: NodeWorkOptions): Promise<{ stop(): Promise<void> }> {
  if (!mayRecover) return { stop: async () => {} }
  const recovered = await recoverCalls(store.calls, ports)
  if (recovered > 0) {
    const what = recovered === 1 ? 'call was' : 'calls were'
    ports.onWarning(
      `${recovered} ${what} cut off by a stop: run again or settled, see toolcrib events`,
    )
  }
  if (store.kind === 'pglite') return { stop: async () => {} }
  const recovery = repeat(nodeTimeoutMs / 3, () => recoverCalls(store.calls, ports), ports)
  const cancels = repeat(cancelEveryMs, () => cancelAsked(store, ports), ports)
  return {
    async stop() {
      await Promise.all([recovery.stop(), cancels.stop()])
    },
  }
}

/** One after the other, never two at once. Stopping waits for the one under way: it may claim calls. */
function repeat(
  everyMs: number,
  work: () => Promise<unknown>,
  { onWarning }: Pick<PipelinePorts, 'onWarning'>,
): { stop(): Promise<void> } {
  let current: Promise<unknown> | undefined
  const timer = setInterval(() => {
    current ??= work()
      .catch((error: unknown) => onWarning(`Looking after other nodes failed: ${String(error)}`))
      .finally(() => (current = undefined))
  }, everyMs)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await current
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
