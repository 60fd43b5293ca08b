import type { IssuedKeyAnswer } from '../../../features/keys/schemas.ts'
import type { ApiKey } from '../../../core/vault-ports.ts'
import type { HttpClient } from '../client/http-client.ts'
import type { McpClient } from './client-configs.ts'

/** The key of an entry that was replaced. */
export interface ReplacedKey {
  id: string
  /**
   * It no longer works. Otherwise it may still work: it belongs to another server, or is not a
   * Toolcrib key.
   */
  isRevoked: boolean
}

/** May call tools and nothing else; bound to the agent, where one is named. */
export function createClientKey(
  http: HttpClient,
  client: McpClient,
  agent: string | undefined,
): Promise<IssuedKeyAnswer> {
  const body = { name: nameOf(client), scopes: ['tools.call'], agent }
  return http.read<IssuedKeyAnswer>('/keys', { method: 'POST', body })
}

/** Ends a key that another has taken the place of, if it was made as that one was. */
export async function endReplacedKey(
  http: HttpClient,
  client: McpClient,
  id: string,
): Promise<ReplacedKey> {
  try {
    const key = (await http.all<ApiKey>('/keys')).find((one) => one.id === id)
    if (key?.name !== nameOf(client)) return { id, isRevoked: false }
    if (key.revokedAt === undefined) await endKey(http, id)
    return { id, isRevoked: true }
  } catch {
    // The new key is in place already, so a failure here is only reported.
    return { id, isRevoked: false }
  }
}

export async function endKey(http: HttpClient, id: string): Promise<void> {
  await http.send(`/keys/${encodeURIComponent(id)}`, { method: 'DELETE' })
}

/** By its name a key is known again that was made for a client's file. */
function nameOf(client: McpClient): string {
  return `MCP: ${client}`
}
