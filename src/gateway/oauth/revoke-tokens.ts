import { boundFetch } from './bounded-fetch.ts'
import { discoverSignIn } from './discover-sign-in.ts'
import type { SignInTarget } from '../../core/gateway/connection-store.ts'
import type { OAuthPorts } from './oauth-ports.ts'
import { createRegisteredClient } from './registered-client.ts'
import type { HeldTokens } from './token-document.ts'

/**
 * Revokes tokens at the authorization server. They are deleted here already: if it cannot be
 * reached or has no such endpoint, they expire by themselves.
 */
export async function revokeTokens(
  ports: OAuthPorts,
  target: SignInTarget,
  held: HeldTokens,
): Promise<boolean> {
  const { tokens, issuer } = held
  const fetchFn = boundFetch(ports.fetchFor(target))
  const { state } = await discoverSignIn(target.url, fetchFn)
  const metadata = state.authorizationServerMetadata
  const endpoint = (metadata as Readonly<Record<string, unknown>> | undefined)?.[
    'revocation_endpoint'
  ]
  // Only their issuer gets to see them.
  if (typeof endpoint !== 'string' || metadata?.issuer !== issuer) return false
  const client = await createRegisteredClient(ports, target).findHolder(held)
  if (client === undefined) return false
  const { client_id: id, client_secret: secret } = client
  const isRefresh = tokens.refresh_token !== undefined
  const body = new URLSearchParams({
    token: tokens.refresh_token ?? tokens.access_token,
    token_type_hint: isRefresh ? 'refresh_token' : 'access_token',
    ...(secret === undefined && { client_id: id }),
  })
  const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' })
  if (secret !== undefined) {
    const pair = [id, secret].map(encodeURIComponent).join(':')
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`)
  }
  return (await fetchFn(endpoint, { method: 'POST', body: body.toString(), headers })).ok
}
