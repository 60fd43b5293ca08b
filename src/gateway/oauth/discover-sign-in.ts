import {
  discoverOAuthServerInfo,
  extractWWWAuthenticateParams,
  type OAuthDiscoveryState,
} from '@modelcontextprotocol/client'
import type { OAuthFetch } from './oauth-ports.ts'

/** How a server wants people to sign in. */
export interface SignInDiscovery {
  state: OAuthDiscoveryState
  /** The scopes it asks for. */
  scope?: string
}

/** Asks the server without a token, and then its metadata and that of its authorization server. */
export async function discoverSignIn(url: string, fetchFn: OAuthFetch): Promise<SignInDiscovery> {
  const { scope, resourceMetadataUrl } = await readChallenge(url, fetchFn)
  const found = await discoverOAuthServerInfo(url, { resourceMetadataUrl, fetchFn })
  const state = { ...found, resourceMetadataUrl: resourceMetadataUrl?.href }
  return { state, ...(scope !== undefined && { scope }) }
}

const ping = JSON.stringify({ jsonrpc: '2.0', id: 'sign-in', method: 'ping' })

/** The server's answer to an unknown caller. Any other answer means there is no challenge. */
async function readChallenge(url: string, fetchFn: OAuthFetch) {
  const response = await fetchFn(url, {
    method: 'POST',
    body: ping,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
  })
  if (response.status !== 401) return {}
  return extractWWWAuthenticateParams(response)
}
