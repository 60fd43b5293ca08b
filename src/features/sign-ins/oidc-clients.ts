import { createHash, createHmac } from 'node:crypto'
import type { Configuration, CustomFetch, IDToken } from 'openid-client'
import { ToolError, isToolError } from '../../core/kernel/errors.ts'
import type { OidcProviderConfig } from './config.ts'

/** The person whose identity a provider confirms. */
export interface OidcIdentity {
  email: string
  name: string
}

export interface OidcClients {
  readonly providers: readonly OidcProviderConfig[]
  /** Throws not_found for a name that is not configured. */
  find(name: string): OidcProviderConfig
  /** Where the browser goes to sign in. */
  authorizationUrl(
    name: string,
    request: { redirectUri: string; state: string; secret: string },
  ): Promise<string>
  /** Redeems the code that the browser came back with. */
  identify(
    name: string,
    request: { url: string; redirectUri: string; state: string; secret: string },
  ): Promise<OidcIdentity>
}

const discoveryMs = 3_600_000
const answerSeconds = 10

/** A client is created with the clock difference of that moment; a larger drift needs a new client. */
const driftMs = 2_000

interface HeldClient {
  until: number
  /** How far the database's clock was ahead of this node's. */
  aheadMs: number
  client: Promise<Configuration>
}

export interface OidcSurroundings {
  env: Readonly<Record<string, string | undefined>>
  now(): number
  /** Reaches a provider. */
  fetchFor(provider: OidcProviderConfig): typeof fetch
}

/**
 * Clients of the configured providers. Discovery runs on the first sign-in, and is cached for an
 * hour.
 */
export function createOidcClients(
  providers: readonly OidcProviderConfig[],
  { env, now, fetchFor }: OidcSurroundings,
): OidcClients {
  const secrets = new Map(providers.map((provider) => [provider.name, secretOf(provider, env)]))
  const known = new Map<string, HeldClient>()
  function find(name: string): OidcProviderConfig {
    const provider = providers.find((candidate) => candidate.name === name)
    if (provider !== undefined) return provider
    throw new ToolError('not_found', 'This way of signing in is not available here', {
      fix: 'Open /sign-in to see the available ways.',
    })
  }
  function clientOf(provider: OidcProviderConfig): Promise<Configuration> {
    const held = known.get(provider.name)
    const aheadMs = now() - Date.now()
    const isRight = held !== undefined && Math.abs(held.aheadMs - aheadMs) < driftMs
    if (isRight && held.until > performance.now()) return held.client
    const secret = secrets.get(provider.name)
    const client = discover(provider, { secret, aheadMs, fetch: fetchFor(provider) })
    known.set(provider.name, { until: performance.now() + discoveryMs, aheadMs, client })
    // The next sign-in tries the provider again.
    client.catch(() => known.delete(provider.name))
    return client
  }
  return {
    providers,
    find,
    authorizationUrl: (name, request) =>
      told(name, async () => {
        const { buildAuthorizationUrl } = await import('openid-client')
        const provider = find(name)
        const proof = proofOf(request.secret)
        const url = buildAuthorizationUrl(await clientOf(provider), {
          redirect_uri: request.redirectUri,
          scope: provider.scopes.join(' '),
          state: request.state,
          nonce: proof.nonce,
          code_challenge: createHash('sha256').update(proof.verifier).digest('base64url'),
          code_challenge_method: 'S256',
        })
        return url.href
      }),
    identify: (name, request) =>
      told(name, async () => {
        const client = await clientOf(find(name))
        return identify(client, request)
      }),
  }
}

function secretOf(
  { name, clientSecretEnv }: OidcProviderConfig,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (clientSecretEnv === undefined) return undefined
  const secret = env[clientSecretEnv]
  if (secret) return secret
  throw new ToolError(
    'invalid_config',
    `signIn.oidc ${name} names ${clientSecretEnv}, which is not set`,
    { fix: 'Set the variable to the client secret, or omit clientSecretEnv.' },
  )
}

interface Discovery {
  secret: string | undefined
  aheadMs: number
  fetch: typeof globalThis.fetch
}

async function discover(
  { issuer, clientId }: OidcProviderConfig,
  { secret, aheadMs, fetch }: Discovery,
): Promise<Configuration> {
  const oidc = await import('openid-client')
  // Token expiry is checked with the database clock, like everything else.
  const metadata = { [oidc.clockSkew]: Math.round(aheadMs / 1000) }
  const isPlain = new URL(issuer).protocol === 'http:'
  // The configuration allows plain http only on this machine.
  const plain = isPlain ? [oidc.allowInsecureRequests] : []
  // The signature of an ID token is checked too, in case TLS ends before us.
  const execute = [...plain, oidc.enableNonRepudiationChecks]
  const reach = fetch as CustomFetch
  const options = { timeout: answerSeconds, execute, [oidc.customFetch]: reach }
  const found = await oidc.discovery(new URL(issuer), clientId, metadata, oidc.None(), options)
  if (secret === undefined) return found
  const server = found.serverMetadata()
  // By the standard, the secret goes into the header unless the provider declares another method.
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const proof = methods.includes('client_secret_basic')
    ? oidc.ClientSecretBasic(secret)
    : oidc.ClientSecretPost(secret)
  const client = new oidc.Configuration(server, clientId, metadata, proof)
  client.timeout = answerSeconds
  client[oidc.customFetch] = reach
  for (const set of execute) set(client)
  return client
}

/**
 * Verifier and nonce follow from the secret in the browser's cookie. So nothing that could finish
 * the sign-in is stored here, and no other browser can finish it.
 */
function proofOf(secret: string): { verifier: string; nonce: string } {
  const derive = (purpose: string) =>
    createHmac('sha256', secret).update(purpose).digest('base64url')
  return { verifier: derive('verifier'), nonce: derive('nonce') }
}

async function identify(
  client: Configuration,
  {
    url,
    redirectUri,
    state,
    secret,
  }: { url: string; redirectUri: string; state: string; secret: string },
): Promise<OidcIdentity> {
  const { authorizationCodeGrant, fetchUserInfo } = await import('openid-client')
  const { verifier, nonce } = proofOf(secret)
  const current = new URL(redirectUri)
  current.search = new URL(url).search
  const tokens = await authorizationCodeGrant(client, current, {
    pkceCodeVerifier: verifier,
    expectedNonce: nonce,
    expectedState: state,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (claims === undefined) throw notVouched()
  if (claims['email'] !== undefined) return toIdentity(claims)
  // Some providers return the address only from the user info endpoint.
  return toIdentity(await fetchUserInfo(client, tokens.access_token, claims.sub))
}

function toIdentity(claims: Partial<IDToken>): OidcIdentity {
  const { email, email_verified: verified, name } = claims
  if (typeof email !== 'string' || verified !== true) throw notVouched()
  return { email, name: typeof name === 'string' ? name : '' }
}

function notVouched(): ToolError {
  return new ToolError('sign_in_failed', 'The provider has not verified your email address', {
    fix: 'Verify your address there, then sign in again.',
  })
}

/** Codes of openid-client for no answer, or for one that is not a provider's. */
const providerFaults =
  /TIMEOUT|ABORT|NOT_JSON|NOT_CONFORM|UNEXPECTED_STATUS|INVALID_SERVER_METADATA/

/** Gives every failure a code: the provider's fault, or a sign-in that is not valid. */
async function told<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isToolError(error)) throw error
    throw toOidcError(name, error)
  }
}

function toOidcError(name: string, error: unknown): ToolError {
  const { code, status } = (error ?? {}) as { code?: unknown; status?: unknown }
  const isCoded = typeof code === 'string' && code.startsWith('OAUTH_')
  const isTheirs =
    !isCoded || providerFaults.test(code) || (typeof status === 'number' && status >= 500)
  if (isTheirs) {
    return new ToolError('upstream_failed', `${name} returned an invalid response`, {
      fix: 'Try again later, or sign in another way.',
      cause: error,
    })
  }
  return new ToolError('sign_in_failed', `Signing in with ${name} failed`, {
    fix: 'Start again at /sign-in.',
    cause: error,
  })
}
