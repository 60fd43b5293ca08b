import { decodeJwt, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { isToolError, ToolError } from '../../core/kernel/errors.ts'
import { serverNamePattern } from '../../core/gateway/server-spec.ts'
import { slugPattern } from '../../core/rules/tenant.ts'
import { createIssuerKeys } from './issuer-keys.ts'
import type { IssuerConfig } from '../config/oauth-schema.ts'

/** What is left of a token once it has proved itself. The token is not kept. */
export interface TokenFacts {
  issuer: IssuerConfig
  claims: JWTPayload
  scopes: readonly string[]
  /** It was made for the address of one agent. */
  agent?: string
}

interface TrustedIssuer {
  config: IssuerConfig
  keys: JWTVerifyGetKey
}

export interface TokenReaderOptions {
  issuers: readonly IssuerConfig[]
  /** The time that decides: the database's. */
  now(): number
  /** Addresses of this server's /mcp; the first is the one told to clients. */
  resources(): readonly string[]
  /** Told of good signatures under tokens that are not taken: for whoever sets the issuer up. */
  onUnfit(reason: string): void
}

/**
 * Checks an access token: who issued it, for whom, until when, signed by whom. Undefined for anything
 * wrong with it. Throws forbidden for a good one without a scope that is needed, and upstream_failed
 * where the issuer does not tell its keys.
 */
export type ReadToken = (token: string) => Promise<TokenFacts | undefined>

/** An access token says what it is; one that says nothing has its audience alone. Never an ID or a logout token. */
const tokenTypes = new Set(['at+jwt', 'application/at+jwt', 'jwt'])

/** Reads tokens of these issuers, each with its keys. */
export function createTokenReader(options: TokenReaderOptions): ReadToken {
  const { issuers, now, resources, onUnfit } = options
  const known = new Map<string, TrustedIssuer>(
    issuers.map((config) => [config.issuer, { config, keys: createIssuerKeys(config) }]),
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

/** Not believed yet: it only says whose keys to try. */
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
    onUnfit(`${issuer} sent a token of the type ${quote(type)}, which is no access token`)
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
  return `${issuer} made a token for ${quote(aud)}, and tokens for this server are made for ${wanted}. See server.oauth.issuers[].audience`
}

/** Texts of an issuer, in a line of a log. */
function quote(value: unknown): string {
  return JSON.stringify(value ?? null).slice(0, 300)
}

/**
 * Undefined where the token is for somebody else. For the address of an agent, it acts as that agent;
 * the address of a server behind this one is this one's.
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

/** `scope` is a text with spaces (RFC 9068); some issuers write a list, or call it `scp`. */
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
