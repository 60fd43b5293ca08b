import type { JsonRecord } from '../wire/messages.ts'
import { rpcFaultOf } from '../wire/messages.ts'
import type { Upstream } from '../upstream/open-upstream.ts'

interface ListWatchOptions {
  /** The list of tools may be another one: once for all that comes together. */
  onTools(): void
  /** Prompts, resources or the content of an address have changed. */
  onNews(news: { uri?: string }): void
}

export interface ServerListWatch {
  hear(method: string, params: JsonRecord): void
  /** Subscribes at a server of the newer protocol; older ones notify by themselves. */
  follow(upstream: Upstream): void
  close(): void
}

const firstWaitMs = 200
const longestWaitMs = 60_000
const reopenMs = 5000
/** A server that was quiet for so many times as long as the last wait is heard at once again. */
const calm = 10

/**
 * Watches for changed lists. A server that reports changes without end is followed ever less often.
 */
export function createListWatch({ onTools, onNews }: ListWatchOptions): ServerListWatch {
  const tools = createDebounce(onTools)
  const others = createDebounce(() => onNews({}))
  return {
    hear(method, params) {
      if (method === 'notifications/tools/list_changed') tools.call()
      if (/^notifications\/(prompts|resources)\/list_changed$/.test(method)) others.call()
      const { uri } = params
      if (method === 'notifications/resources/updated' && typeof uri === 'string') onNews({ uri })
    },
    follow(upstream) {
      if (upstream.verdict.era === 'modern') listen(upstream, () => [tools.call(), others.call()])
    },
    close() {
      tools.cancel()
      others.cancel()
    },
  }
}

/** `onReopen`: changes reported while nobody listened are not repeated. */
function listen(upstream: Upstream, onReopen: () => void): void {
  const { tools, prompts, resources } = upstream.capabilities as Record<string, JsonRecord>
  const notifications = {
    ...(tools?.['listChanged'] === true && { toolsListChanged: true }),
    ...(prompts?.['listChanged'] === true && { promptsListChanged: true }),
    ...(resources?.['listChanged'] === true && { resourcesListChanged: true }),
  }
  if (Object.keys(notifications).length === 0) return
  upstream.request('subscriptions/listen', { notifications }).catch((error: unknown) => {
    // A stream that was cut is opened again; a server that can't is believed.
    if (rpcFaultOf(error) === undefined && upstream.peer.isOpen) {
      setTimeout(() => {
        if (!upstream.peer.isOpen) return
        listen(upstream, onReopen)
        onReopen()
      }, reopenMs).unref()
    }
  })
}

/** Calls once for all that comes together, and ever later while it does not end. */
function createDebounce(work: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let waitMs = firstWaitMs
  let lastAt = Number.NEGATIVE_INFINITY
  return {
    call(): void {
      if (timer !== undefined) return
      const quietMs = performance.now() - lastAt
      waitMs = quietMs > calm * waitMs ? firstWaitMs : Math.min(longestWaitMs, waitMs * 1.5)
      timer = setTimeout(() => {
        timer = undefined
        lastAt = performance.now()
        work()
      }, waitMs).unref()
    },
    cancel: () => clearTimeout(timer),
  }
}
