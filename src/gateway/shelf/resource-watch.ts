import type { Principal } from '../../core/call.ts'
import type { Server } from '../servers/create-server.ts'
import type { Upstream } from '../servers/open-upstream.ts'
import type { JsonRecord } from '../wire/messages.ts'

/** Of one connection. */
const followedAtMost = 200

/** Asks servers to tell when something that was read has changed. */
export function createResourceWatch() {
  const followed = new WeakMap<Upstream, Set<string>>()
  return {
    /** Once for every connection and address. Never rejects: updates are a courtesy. */
    async follow(server: Server, uri: string, principal: Principal): Promise<void> {
      const use = await server.use(principal).catch(() => undefined)
      if (use === undefined) return
      const { upstream } = use
      const known = followed.get(upstream) ?? new Set<string>()
      followed.set(upstream, known)
      const resources = upstream.capabilities['resources'] as JsonRecord | undefined
      const isNew = !known.has(uri) && known.size < followedAtMost
      if (isNew && resources?.['subscribe'] === true) {
        known.add(uri)
        const asked =
          upstream.verdict.era === 'modern'
            ? upstream.request('subscriptions/listen', {
                notifications: { resourceSubscriptions: [uri] },
              })
            : upstream.request('resources/subscribe', { uri }, { timeoutMs: 10_000 })
        asked.catch(() => known.delete(uri))
      }
      use.release()
    },
  }
}
