import type { Principal } from '../../core/kernel/call.ts'
import type { Server } from '../servers/server.ts'
import type { Upstream } from '../upstream/open-upstream.ts'
import type { JsonRecord } from '../wire/messages.ts'

/** Of one connection. */
const followedAtMost = 200

interface Followed {
  uris: Set<string>
  /** The stream on which a server of the newer protocol reports all of them. */
  stream?: AbortController
}

/** Subscribes to changes of resources that were read. */
export function createResourceWatch() {
  const connections = new WeakMap<Upstream, Followed>()
  return {
    /** Once for every connection and address. Never rejects: updates are a courtesy. */
    async follow(server: Server, uri: string, principal: Principal): Promise<void> {
      const use = await server.use(principal).catch(() => undefined)
      if (use === undefined) return
      const { upstream } = use
      const followed = connections.get(upstream) ?? { uris: new Set() }
      connections.set(upstream, followed)
      const { uris } = followed
      const resources = upstream.capabilities['resources'] as JsonRecord | undefined
      const isNew = !uris.has(uri) && uris.size < followedAtMost
      if (isNew && resources?.['subscribe'] === true) {
        uris.add(uri)
        if (upstream.verdict.era === 'modern') listen(upstream, followed)
        else
          upstream
            .request('resources/subscribe', { uri }, { timeoutMs: 10_000 })
            .catch(() => uris.delete(uri))
      }
      use.release()
    },
  }
}

/** One stream for all of them, in place of the one before: each holds a connection that calls need. */
function listen(upstream: Upstream, followed: Followed): void {
  const before = followed.stream
  const stream = new AbortController()
  followed.stream = stream
  const notifications = { resourceSubscriptions: [...followed.uris] }
  const forget = () => {
    if (followed.stream !== stream) return
    followed.uris.clear()
    delete followed.stream
  }
  upstream
    .request('subscriptions/listen', { notifications }, { signal: stream.signal })
    .then(forget, forget)
  before?.abort()
}
