import { decodeJwt, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { isToolError, ToolError } from '../../core/kernel/errors.ts'
import { serverNamePattern } from '../../core/gateway/server-spec.ts'
import { slugPattern } from '../../core/rules/tenant.ts'
import { createIssuerKeys } from './issuer-keys.ts'
import type { IssuerConfig } from '../config/oauth-schema.ts'

/** The facts of a verified token. The token itself is not kept. */
export interface TokenFacts {
  issuer: IssuerConfig
  claims: JWTPayload
  scopes: readonly string[]
  /** Set if the token was issued for the address of one agent. */
  agent?: string
}

interface TrustedIssuer {
  config: IssuerConfig
  keys: JWTVerifyGetKey
}

export interface TokenReaderOptions {
  issuers: readonly IssuerConfig[]
  /** Reaches an issuer. */
  fetchFor(issuer: IssuerConfig): typeof fetch
  /** The authoritative time: the database's. */
  now(): number
  /** Addresses of this server's /mcp; the first is the one sent to clients. */
  resources(): readonly string[]
  /**
   * Called with the reason when a correctly signed token is refused, for the administrator of the
   * issuer.
   */
  onUnfit(reason: string): void
}

/**
 * Checks the issuer, audience, expiry and signature of an access token. Undefined for an invalid
 * one. Throws forbidden for a valid one without a required scope, and upstream_failed if the keys
 * of the issuer cannot be fetched.
 */
export type ReadToken = (token: string) => Promise<TokenFacts | undefined>

/**
 * The `typ` of access tokens; without one, the audience decides. ID and logout tokens are never
 * accepted.
 */
const tokenTypes = new Set(['at+jwt', 'application/at+jwt', 'jwt'])

/** Reads tokens of these issuers, each with its keys. */
export function createTokenReader(options: TokenReaderOptions): ReadToken {
  const { issuers, now, resources, onUnfit } = options
  const known = new Map<string, TrustedIssuer>(
    issuers.map((config) => [
      config.issuer,
      { config, keys: createIssuerKeys(config, options.fetchFor(config)) },
    ]),
  )
  return async function readToken(token) {
    const trusted = known.get(issuerOf(token) ?? '')
    if (trusted === undefined) return undefined
    const { config, keys } = trusted
    const claims = await verify(token, { config, keys, now, onUnfit })
    if (claims === undefined) return undefined
    const fits = audienceOf(claims, config.audience, resources())
    if (fits === undefined) {
      onUnfit(otherAudience(claims, config, resources()))
      return undefined
    }
    const scopes = scopesOf(claims)
    const missing = config.requiredScopes.filter((scope) => !scopes.includes(scope))
    if (missing.length > 0) throw insufficient(missing)
    return { issuer: config, claims, scopes, ...fits }
  }
}

/** The unverified issuer, used only to choose the keys. */
function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss
  } catch {
    return undefined
  }
}

async function verify(
  token: string,
  { config, keys, now, onUnfit }: TrustedIssuer & Pick<TokenReaderOptions, 'now' | 'onUnfit'>,
): Promise<JWTPayload | undefined> {
  const { issuer, algorithms, clockToleranceSeconds } = config
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer,
      algorithms: [...algorithms],
      clockTolerance: clockToleranceSeconds,
      currentDate: new Date(now()),
      requiredClaims: ['exp', 'sub', 'aud'],
    })
    const type = protectedHeader.typ?.toLowerCase() ?? 'jwt'
    if (tokenTypes.has(type)) return payload
    onUnfit(`${issuer} sent a token of the type ${quote(type)}, which is not an access token`)
    return undefined
  } catch (error) {
    if (isToolError(error)) throw error
    return undefined
  }
}

function otherAudience(
  { aud }: JWTPayload,
  { issuer, audience }: IssuerConfig,
  resources: readonly string[],
): string {
  const wanted = (audience ?? resources.slice(0, 1)).map(quote).join(' or ')
  return `${issuer} issued a token for ${quote(aud)}, but tokens for this server must be for ${wanted}. See server.oauth.issuers[].audience`
}

/** Text from an issuer, shortened to a log line. */
function quote(value: unknown): string {
  return JSON.stringify(value ?? null).slice(0, 300)
}

/**
 * Undefined if the token is for somebody else. A token for the address of an agent acts as that
 * agent; the address of a server behind this one counts as this server's.
 */
function audienceOf(
  { aud = [] }: JWTPayload,
  configured: readonly string[] | undefined,
  resources: readonly string[],
): { agent?: string } | undefined {
  const named = Array.isArray(aud) ? aud : [aud]
  const own = configured ?? resources
  if (named.some((one) => own.includes(one))) return {}
  if (configured !== undefined) return undefined
  for (const one of named) {
    const base = own.find((candidate) => one.startsWith(`${candidate}/`))
    const rest = base === undefined ? '' : one.slice(base.length + 1)
    if (slugPattern.test(rest)) return { agent: rest }
    const [, server = ''] = /^servers\/(.*)$/.exec(rest) ?? []
    if (serverNamePattern.test(server)) return {}
  }
  return undefined
}

/** `scope` is a string with spaces (RFC 9068); some issuers send a list, or name it `scp`. */
function scopesOf({ scope, scp }: JWTPayload): string[] {
  const given: unknown = scope ?? scp
  if (typeof given === 'string') return given.split(' ').filter((one) => one !== '')
  return Array.isArray(given) ? given.filter((one) => typeof one === 'string') : []
}

function insufficient(missing: readonly string[]): ToolError {
  return new ToolError('forbidden', `The token lacks the scope ${missing.join(' ')}`, {
    fix: 'Sign in again and ask for that scope.',
    details: { missingScopes: missing },
  })
}
