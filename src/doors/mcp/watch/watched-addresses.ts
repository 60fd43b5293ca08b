import type { McpShared } from '../mcp-shared.ts'
import type { McpRequestContext } from '../mcp-request-context.ts'
import { rest } from './outage.ts'
import { isOutage } from '../../../core/kernel/errors.ts'
import { createPause } from './pause.ts'

/** The addresses that one client is subscribed to. */
export interface WatchedAddresses {
  follow(uri: string): void
  unfollow(uri: string): void
  stop(): void
}

/** The most addresses one client may follow at once. */
export const maxAddresses = 1000

/**
 * Announces changed addresses. Sources that announce everything get one listener; those that need
 * one per address (calls) get one while it is followed.
 */
export function watchAddresses(
  { api, onFault }: Pick<McpShared, 'api' | 'onFault'>,
  requestContext: () => McpRequestContext,
  tell: (uri: string) => void,
): WatchedAddresses {
  const followed = new Map<string, AbortController>()
  const changed = new Set<string>()
  const pause = createPause(async () => {
    const uris = [...changed]
    changed.clear()
    for (const uri of uris) tell(uri)
  })
  function note(uri: string): void {
    if (!followed.has(uri)) return
    changed.add(uri)
    pause.begin()
  }
  const unwatch = api.watchResources(requestContext().caller.tenant, note)
  async function begin(uri: string, signal: AbortSignal): Promise<void> {
    const { caller, scope } = requestContext()
    const stop = await api.watchResource(caller, { uri, ...scope }, () => note(uri))
    if (signal.aborted) stop?.()
    else signal.addEventListener('abort', () => stop?.(), { once: true })
  }
  async function keepTrying(uri: string, signal: AbortSignal): Promise<void> {
    let isLate = false
    while (!signal.aborted) {
      try {
        await begin(uri, signal)
        // Changes since then have not been announced.
        return isLate ? note(uri) : undefined
      } catch (error) {
        if (!isOutage(error)) return onFault(error)
        isLate = true
        await rest(signal)
      }
    }
  }
  function unfollow(uri: string): void {
    followed.get(uri)?.abort()
    followed.delete(uri)
    changed.delete(uri)
  }
  return {
    follow(uri) {
      if (followed.has(uri) || followed.size >= maxAddresses) return
      const leaving = new AbortController()
      followed.set(uri, leaving)
      void keepTrying(uri, leaving.signal)
    },
    unfollow,
    stop() {
      pause.end()
      unwatch()
      for (const uri of followed.keys()) unfollow(uri)
    },
  }
}
