import type { JSONRPCMessage, JSONRPCNotification } from '@modelcontextprotocol/client'

/** Subscriptions and log level of a client, which a new session does not know. */
export interface SessionWishes {
  /** Records one if the message contains it. */
  note(message: JSONRPCMessage): void
  /** Asks for the same again. */
  list(): Wish[]
  /**
   * Notifications that make the client read everything again: changes between two sessions are
   * unknown.
   */
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
