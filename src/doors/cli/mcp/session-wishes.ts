import type { JSONRPCMessage, JSONRPCNotification } from '@modelcontextprotocol/client'

/** What a client of an older era has asked of its session, which the next one knows nothing of. */
export interface SessionWishes {
  /** Looks for one in what the client says. */
  note(message: JSONRPCMessage): void
  /** Asks for the same again. */
  list(): Wish[]
  /** What the client has to look at: nobody knows what has changed between two sessions. */
  missed(): JSONRPCNotification[]
}

interface Wish {
  method: string
  params: Record<string, unknown>
}

export function createSessionWishes(): SessionWishes {
  const addresses = new Set<string>()
  let level: Wish | undefined
  return {
    note(message) {
      if (!('method' in message)) return
      const { method, params = {} } = message
      const { uri } = params
      if (method === 'logging/setLevel') level = { method, params }
      if (typeof uri !== 'string') return
      if (method === 'resources/subscribe') addresses.add(uri)
      if (method === 'resources/unsubscribe') addresses.delete(uri)
    },
    list() {
      const uris = [...addresses]
      const follow = uris.map((uri) => ({ method: 'resources/subscribe', params: { uri } }))
      return level === undefined ? follow : [level, ...follow]
    },
    missed() {
      const lists = ['tools', 'prompts', 'resources'].map((list) => ({
        jsonrpc: '2.0' as const,
        method: `notifications/${list}/list_changed`,
      }))
      const updates = [...addresses].map((uri) => ({
        jsonrpc: '2.0' as const,
        method: 'notifications/resources/updated',
        params: { uri },
      }))
      return [...lists, ...updates]
    },
  }
}
