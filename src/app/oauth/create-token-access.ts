import { createHash } from 'node:crypto'
import type { Host } from '../../core/host/host.ts'
import type { Caller } from '../../core/kernel/call.ts'
import type { OAuthApi } from '../../core/oauth/oauth-api.ts'
import { compilePermissions } from '../../core/policy/permissions.ts'
import type { Runtime } from '../../core/kernel/tool.ts'
import type { TenantViews } from '../governance/tenant-views.ts'
import type { IssuerConfig } from '../config/oauth-schema.ts'
import type { ReadToken, TokenFacts, TokenReaderOptions } from './read-token.ts'
import {
  assertRoleCalls,
  findTokenCaller,
  type TokenCaller,
  type TokenCallerParts,
} from './token-caller.ts'

/**
 * How long a verified signature is cached, and so the longest delay of a key withdrawn by its
 * issuer.
 */
const proofMs = 60_000
/** The member is looked up again after this time, and when anything in a tenant has changed. */
const memberMs = 1_000
const rememberAtMost = 10_000
/**
 * The limit of a header; the longest tokens of common issuers, with groups, are about half of it.
 */
const tokenAtMost = 8_192

/** The number of resources and members of an issuer is unbounded. */
const tellAtMost = 50

interface Proven {
  until: number
  facts: Promise<TokenFacts | undefined>
  caller?: { until: number; after: number; found: Promise<TokenCaller> }
  /** The latest callers, by door. */
  given: Map<Runtime, Caller>
}

export interface TokenAccessOptions extends TokenCallerParts {
  config: { server: { oauth: { issuers: readonly IssuerConfig[] } } }
  views: Pick<TenantViews, 'find' | 'subscribe'>
  host: Pick<Host, 'network'>
  publicUrl(): string
  onWarning(message: string): void
}

export interface TokenAccess extends OAuthApi {
  /** The caller of an access token, or undefined for any invalid token. */
  authenticateToken(token: string, runtime: Runtime): Promise<Caller | undefined>
}

/** Access tokens of the configured issuers. Without issuers, no token is valid. */
export function createTokenAccess(options: TokenAccessOptions): TokenAccess {
  const { issuers } = options.config.server.oauth
  const { now } = options.store
  const terms = termsOf(issuers)
  const proven = new Map<string, Proven>()
  const resources = () => resourcesOf(options.publicUrl())
  const fetchFor = ({ issuer, jwksUrl = issuer }: IssuerConfig) => {
    const trusted = [issuer, jwksUrl].map((url) => new URL(url))
    return options.host.network.fetchFor({ key: `issuer ${issuer}`, trusted })
  }
  const tellOnce = createTellOnce(options.onWarning)
  let reader: Promise<ReadToken> | undefined
  let changes = 0
  options.views.subscribe(() => (changes += 1))

  function prove(token: string): Proven {
    const name = createHash('sha256').update(token).digest('base64')
    const known = proven.get(name)
    if (known !== undefined && known.until > performance.now()) return known
    reader ??= openReader({ issuers, now, resources, fetchFor, onUnfit: tellOnce })
    const facts = reader.then((readToken) => readToken(token))
    const entry: Proven = { until: performance.now() + proofMs, facts, given: new Map() }
    proven.delete(name)
    proven.set(name, entry)
    const forget = () => proven.get(name) === entry && proven.delete(name)
    // Only valid tokens are cached: guesses must not evict them.
    facts.then((found) => found ?? forget(), forget)
    if (proven.size > rememberAtMost) proven.delete(proven.keys().next().value ?? '')
    return entry
  }
  function findCaller(entry: Proven, facts: TokenFacts): Promise<TokenCaller> {
    const { caller: known } = entry
    if (known !== undefined && known.after === changes && known.until > performance.now()) {
      return known.found
    }
    // Numbered before it is read, so that a concurrent change causes another read.
    const found = findTokenCaller(facts, { ...options, onUnfit: tellOnce })
    entry.caller = { until: performance.now() + memberMs, after: changes, found }
    return found
  }
  return {
    tokenTerms: () => terms,
    async authenticateToken(token, runtime) {
      if (issuers.length === 0 || token.length > tokenAtMost) return undefined
      const entry = prove(token)
      const facts = await entry.facts
      if (facts === undefined || isOver(facts, now())) return undefined
      const caller = await findCaller(entry, facts)
      // This door only calls tools.
      if (runtime === 'mcp') assertRoleCalls(facts, caller)
      return give(entry, { ...caller, runtime })
    },
  }
}

/** The reason is logged for the administrator of the issuer, but not sent to callers. */
function createTellOnce(tell: (message: string) => void): (message: string) => void {
  const told = new Set<string>()
  return (message) => {
    if (told.has(message) || told.size >= tellAtMost) return
    told.add(message)
    tell(message)
  }
}

/** Loaded with the first token: most servers never receive one. */
async function openReader(options: TokenReaderOptions): Promise<ReadToken> {
  const { createTokenReader } = await import('./read-token.ts')
  return createTokenReader(options)
}

/**
 * The same caller object while nothing about it has changed: compiled permissions are cached by
 * identity.
 */
function give({ given }: Proven, caller: Caller): Caller {
  const before = given.get(caller.runtime)
  if (before !== undefined && JSON.stringify(before) === JSON.stringify(caller)) return before
  given.set(caller.runtime, caller)
  return caller
}

function isOver({ issuer, claims }: TokenFacts, now: number): boolean {
  return ((claims.exp ?? 0) + issuer.clockToleranceSeconds) * 1000 <= now
}

/** A server on this machine has several names, and is the same resource under each. */
function resourcesOf(publicUrl: string): string[] {
  const { origin, protocol, hostname, port } = new URL(publicUrl)
  const names = ['localhost', '127.0.0.1', '[::1]']
  if (!names.includes(hostname)) return [`${origin}/mcp`]
  const others = names.map((name) => `${protocol}//${name}${port === '' ? '' : `:${port}`}`)
  return [...new Set([origin, ...others])].map((one) => `${one}/mcp`)
}

function termsOf(issuers: readonly IssuerConfig[]) {
  return {
    issuers: issuers.map(({ issuer }) => issuer),
    scopes: [...new Set(issuers.flatMap(({ scopes }) => Object.keys(scopes)))],
    requiredScopes: [...new Set(issuers.flatMap(({ requiredScopes }) => requiredScopes))],
    callScopes: [...new Set(issuers.flatMap(callScopeOf))],
  }
}

/** One is enough, and issuers may refuse requests for more than needed. */
function callScopeOf({ scopes }: IssuerConfig): string[] {
  const permits = ([, permissions]: [string, string[]]) =>
    compilePermissions(permissions).has('tools.call')
  return Object.entries(scopes)
    .filter(permits)
    .slice(0, 1)
    .map(([scope]) => scope)
}
