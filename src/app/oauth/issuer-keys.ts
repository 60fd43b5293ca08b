import { createLocalJWKSet, createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose'
import { ToolError } from '../../core/kernel/errors.ts'
import { fetchBounded } from './fetch-bounded.ts'
import { type IssuerConfig, isSafeAddress } from '../config/oauth-schema.ts'

/** How long metadata is cached; keys themselves are looked up again every ten minutes. */
const metadataMs = 3_600_000
const keysMs = 600_000
/** The shortest time between fetches of keys: forged tokens name unknown keys. */
const cooldownMs = 5_000
/** How long an issuer that does not answer is not asked again. */
const restMs = 5_000

type RemoteKeys = ReturnType<typeof createRemoteJWKSet>

/**
 * The keys of one issuer, found through its metadata and cached. A new key is fetched when the
 * first token uses it. Throws upstream_failed if the issuer does not answer.
 */
export function createIssuerKeys(
  issuer: IssuerConfig,
  fetch: typeof globalThis.fetch,
): JWTVerifyGetKey {
  let held: { until: number; keys: Promise<RemoteKeys> } | undefined
  let restsUntil = 0

  async function open(): Promise<RemoteKeys> {
    const url = issuer.jwksUrl ?? (await discoverKeys(issuer.issuer, fetch))
    return createRemoteJWKSet(new URL(url), {
      cooldownDuration: cooldownMs,
      cacheMaxAge: keysMs,
      [customFetch]: (address, { signal }) => fetchBounded(address, { signal, fetch }),
    })
  }
  function keysNow(): Promise<RemoteKeys> {
    if (held !== undefined && held.until > performance.now()) return held.keys
    const keys = open()
    const entry = { until: performance.now() + metadataMs, keys }
    held = entry
    keys.catch(() => held === entry && (held = undefined))
    return keys
  }
  /** A forged token can cause the fetch, so its failure must not affect tokens with cached keys. */
  function findKept(keys: RemoteKeys | undefined): JWTVerifyGetKey {
    const kept = keys?.fresh === true ? keys.jwks() : undefined
    if (kept === undefined) throw noAnswer(issuer.issuer)
    const find = createLocalJWKSet(kept)
    return (header, token) =>
      find(header, token).catch((error: unknown) => {
        // It may be a new key, known only to the issuer.
        throw noAnswer(issuer.issuer, error)
      })
  }
  return async function findKey(header, token) {
    if (restsUntil > performance.now()) return findKept(await held?.keys)(header, token)
    try {
      return await (
        await keysNow()
      )(header, token)
    } catch (error) {
      if (isAboutToken(error)) throw error
      restsUntil = performance.now() + restMs
      throw noAnswer(issuer.issuer, error)
    }
  }
}

/** Errors of jose about the token, as opposed to failures to fetch the keys. */
function isAboutToken(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown }
  return (
    code === 'ERR_JWKS_NO_MATCHING_KEY' ||
    code === 'ERR_JWKS_MULTIPLE_MATCHING_KEYS' ||
    code === 'ERR_JOSE_NOT_SUPPORTED'
  )
}

function noAnswer(issuer: string, cause?: unknown): ToolError {
  return new ToolError('upstream_failed', `${issuer} does not answer as expected`, {
    retryable: true,
    fix: 'Try again in a moment, or use an API key.',
    cause,
  })
}

/** Finds the keys through the issuer's own metadata: OAuth (RFC 8414) or OpenID Connect. */
async function discoverKeys(issuer: string, fetch: typeof globalThis.fetch): Promise<string> {
  let last: unknown
  for (const address of metadataAddresses(issuer)) {
    try {
      const response = await fetchBounded(address, { fetch })
      if (response.status === 404) continue
      return keysAddress(issuer, await response.json())
    } catch (error) {
      last = error
    }
  }
  throw new Error(`No metadata of ${issuer} was found`, { cause: last })
}

function metadataAddresses(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/+$/, '')
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
    ...(path === '' ? [] : [`${origin}/.well-known/openid-configuration${path}`]),
  ]
}

function keysAddress(issuer: string, metadata: unknown): string {
  const { issuer: named, jwks_uri: url } = (metadata ?? {}) as Record<string, unknown>
  // Another name would let one issuer's document speak for another (RFC 8414 §3.3).
  if (named !== issuer) throw new Error(`The metadata of ${issuer} is that of another issuer`)
  if (typeof url !== 'string' || !URL.canParse(url) || !isSafeAddress(url)) {
    throw new Error(`The metadata of ${issuer} names no keys`)
  }
  return url
}
