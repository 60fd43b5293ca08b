import type { StoredOAuthClientInformation } from '@modelcontextprotocol/client'
import { z } from 'zod'
import { ToolError } from '../../core/kernel/errors.ts'
import type { SignInTarget } from '../../core/gateway/connection-store.ts'
import type { OAuthPorts } from './oauth-ports.ts'
import type { HeldTokens } from './token-document.ts'

const clientDocument = z.looseObject({
  /** Where it is sent back to; with another address of ours, it is another client. */
  redirectUrl: z.string(),
  isConfigured: z.boolean(),
  information: z.looseObject({
    client_id: z.string(),
    client_secret: z.string().optional(),
    client_secret_expires_at: z.number().optional(),
    issuer: z.string().optional(),
  }),
})

/** How we are known to the authorization server of a target: by configuration, or as registered there. */
export interface RegisteredClient {
  /** As whom people sign in. */
  find(issuer: string): Promise<StoredOAuthClientInformation | undefined>
  /** As whom tokens were given to us: for that it does not matter where people are sent back to. */
  findHolder(held: HeldTokens): Promise<StoredOAuthClientInformation | undefined>
  save(information: StoredOAuthClientInformation, issuer: string): Promise<void>
  forget(): Promise<void>
}

/** Registrations belong to the tenant, whichever member signs in. */
export function createRegisteredClient(
  { connections, redirectUrl, readValue, now }: OAuthPorts,
  target: SignInTarget,
): RegisteredClient {
  const { tenant, server, oauth } = target
  const key = { tenant, server, subject: '' }

  /**
   * A client that was registered by hand has one authorization server: the first one it was used
   * with. Its secret is not shown to another that the MCP server may name later.
   */
  async function findConfigured(clientId: string, issuer: string) {
    const known = clientDocument.safeParse(
      (await connections.find(key, { kind: 'client' }))?.value,
    ).data
    const isSame = known?.isConfigured === true && known.information.client_id === clientId
    const first = isSame ? known.information.issuer : undefined
    if (first !== undefined && first !== issuer) throw otherIssuer(server, { first, issuer })
    const secret = oauth.clientSecret
    const information = {
      client_id: clientId,
      ...(secret !== undefined && { client_secret: await readValue(tenant, secret) }),
      issuer,
    }
    if (first === undefined) await save(information, issuer)
    return information
  }
  async function save(information: StoredOAuthClientInformation, issuer: string): Promise<void> {
    const isConfigured = oauth.clientId !== undefined
    // The secret of configuration stays where it is.
    const { client_id } = information
    const kept = isConfigured ? { client_id, issuer } : { ...information, issuer }
    const value = { redirectUrl: redirectUrl(), isConfigured, information: kept }
    await connections.put(key, { kind: 'client', issuer, value })
  }
  async function findRegistered(issuer: string) {
    const found = await connections.find(key, { kind: 'client', issuer })
    const known = clientDocument.safeParse(found?.value).data
    if (known === undefined || known.isConfigured) return undefined
    const { client_secret_expires_at: expires = 0 } = known.information
    const isOver = expires > 0 && expires * 1000 <= now()
    return isOver ? undefined : known
  }
  return {
    save,
    async find(issuer) {
      if (oauth.clientId !== undefined) return findConfigured(oauth.clientId, issuer)
      const known = await findRegistered(issuer)
      return known?.redirectUrl === redirectUrl() ? known.information : undefined
    },
    async findHolder({ client, issuer }) {
      if (oauth.clientId !== undefined) return findConfigured(oauth.clientId, issuer)
      return client ?? (await findRegistered(issuer))?.information
    },
    forget: async () => void (await connections.remove(key, { kind: 'client' })),
  }
}

function otherIssuer(server: string, { first, issuer }: { first: string; issuer: string }) {
  return new ToolError(
    'sign_in_failed',
    `${server} now names ${issuer} as its authorization server; the client of its settings belongs to ${first}`,
    { fix: 'If that is right, remove the server and add it again.' },
  )
}
