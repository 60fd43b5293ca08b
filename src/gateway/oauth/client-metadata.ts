import type { OAuthClientMetadata } from '@modelcontextprotocol/client'

/** Our identity for authorization servers: the registration, and our metadata document. */
export function toClientMetadata({
  redirectUrl,
  scopes = [],
  methods = ['none'],
}: {
  redirectUrl: string
  scopes?: readonly string[]
  /** How the authorization server lets clients prove themselves. */
  methods?: readonly string[]
}): OAuthClientMetadata {
  const { hostname } = new URL(redirectUrl)
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
  return {
    client_name: 'Toolcrib',
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    application_type: isLocal ? 'native' : 'web',
    token_endpoint_auth_method: chooseMethod(methods),
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
  }
}

/** Preferably no secret: PKCE proves who began. Without a statement, the standard assumes basic. */
function chooseMethod(methods: readonly string[]): string {
  const known = ['none', 'client_secret_basic', 'client_secret_post']
  return known.find((method) => methods.includes(method)) ?? 'client_secret_basic'
}
