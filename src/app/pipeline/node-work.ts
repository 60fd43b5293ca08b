import { ToolError } from '../../core/kernel/errors.ts'
import type { PipelinePorts } from '../../core/pipeline/ports.ts'
import { recoverCalls } from '../../core/pipeline/run/recover-calls.ts'
import type { Store } from '../../core/ports.ts'

interface NodeWorkOptions {
  mayRecover: boolean
  store: Store
  ports: PipelinePorts
  nodeTimeoutMs: number
}

/** How soon a cancel on another node reaches the call here. */
const cancelEveryMs = 1000

/**
 * Background work of a node: settles or requeues the calls of dead nodes, first those of its own
 * predecessor, and applies cancels that missed their call because it runs here but was cancelled
 * elsewhere, or had just begun.
 */
export async function startNodeWork({
  mayRecover,
  store,
  ports,
  nodeTimeoutMs,
}: NodeWorkOptions): Promise<{ stop(): Promise<void> }> {
  // Also without recovery: a node that runs a call must notice its cancellation.
  const jobs = [repeat(cancelEveryMs, () => cancelAsked(store, ports), ports)]
  if (mayRecover) {
    await recoverLeft(store, ports)
    // The embedded store has no other nodes.
    if (store.kind === 'postgres') {
      jobs.push(repeat(nodeTimeoutMs / 3, () => recoverCalls(store.calls, ports), ports))
    }
  }
  return {
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()))
    },
  }
}

async function recoverLeft(store: Store, ports: PipelinePorts): Promise<void> {
  const recovered = await recoverCalls(store.calls, ports)
  if (recovered === 0) return
  const what = recovered === 1 ? 'interrupted call was' : 'interrupted calls were'
  ports.onWarning(`${recovered} ${what} run again or settled: see toolcrib events`)
}

/**
 * One after the other, never two at once. Stopping waits for the current one: it may claim calls.
 */
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
    ports.running
      .find(id)
      ?.control.abort(new ToolError('cancelled', 'Cancelled through another node'))
  }
}
