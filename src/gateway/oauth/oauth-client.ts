import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import { toClientMetadata } from './client-metadata.ts'
import type { SignInTarget } from '../../core/gateway/connection-store.ts'
import type { OAuthPorts } from './oauth-ports.ts'
import { createRegisteredClient } from './registered-client.ts'

/** The start and the result of one pass through the SDK's flow. */
export interface OAuthPass {
  discovery: OAuthDiscoveryState
  state?: string
  verifier?: string
  /** Tokens that may be refreshed. */
  tokens?: StoredOAuthTokens
  /** The client they were issued to. */
  holder?: StoredOAuthClientInformation
  /** Filled in: where to send the person. */
  url?: URL
  /** Filled in: what the authorization server gave, and who that is. */
  granted?: { tokens: StoredOAuthTokens; issuer: string }
  /** Set if the server reported that the tokens are void. */
  isVoid?: boolean
}

/**
 * The SDK's client for one pass. It stores nothing but registrations: all other results are in the
 * pass, and its creator decides what is stored.
 */
export function createOAuthClient(
  ports: OAuthPorts,
  target: SignInTarget,
  pass: OAuthPass,
): OAuthClientProvider {
  const client = createRegisteredClient(ports, target)
  const { authorizationServerMetadata: metadata } = pass.discovery
  const methods = metadata?.token_endpoint_auth_methods_supported
  const redirectUrl = ports.redirectUrl()
  const clientMetadataUrl = ports.clientMetadataUrl()
  const issuerNow = metadata?.issuer ?? pass.discovery.authorizationServerUrl
  return {
    redirectUrl,
    ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
    clientMetadata: toClientMetadata({
      redirectUrl,
      scopes: target.oauth.scopes,
      methods: methods ?? ['client_secret_basic'],
    }),
    state: () => pass.state ?? '',
    clientInformation: (context) => pass.holder ?? client.find(context?.issuer ?? issuerNow),
    saveClientInformation: (information, context) =>
      client.save(information, context?.issuer ?? issuerNow),
    // Only the issuer that gave them gets to see them.
    tokens: (context) =>
      pass.isVoid === true || pass.tokens?.issuer !== context?.issuer ? undefined : pass.tokens,
    saveTokens: (tokens, context) =>
      void (pass.granted = { tokens, issuer: context?.issuer ?? issuerNow }),
    redirectToAuthorization: (url) => void (pass.url = url),
    saveCodeVerifier: (verifier) => void (pass.verifier = verifier),
    codeVerifier: () => pass.verifier ?? '',
    discoveryState: () => pass.discovery,
    saveDiscoveryState: (state) => void (pass.discovery = state),
    async invalidateCredentials(scope) {
      if (scope === 'client' || scope === 'all') {
        pass.holder = undefined
        await client.forget()
      }
      if (scope === 'tokens' || scope === 'all') pass.isVoid = true
    },
  }
}
