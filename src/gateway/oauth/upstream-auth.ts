import {
  auth,
  computeScopeUnion,
  OAuthError,
  type AuthProvider,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import { setTimeout as sleep } from 'node:timers/promises'
import { ToolError } from '../../core/kernel/errors.ts'
import { answerMs, boundFetch } from './bounded-fetch.ts'
import { discoverSignIn } from './discover-sign-in.ts'
import { createOAuthClient, type OAuthPass } from './oauth-client.ts'
import type { SignInTarget } from '../../core/gateway/connection-store.ts'
import type { OAuthPorts } from './oauth-ports.ts'
import { createRegisteredClient } from './registered-client.ts'
import { signInRequired } from './sign-in-required.ts'
import { readTokens, toTokenValue, type HeldTokens } from './token-document.ts'

/** How requests to one server are signed, for one subject. */
export interface UpstreamAuth extends AuthProvider {
  /** The server wants more than the token allows. Always throws: a person has to agree. */
  stepUp(scope: string | undefined): Promise<never>
  /** The tokens that requests were signed with lately; the same list while there is no other. */
  given(): readonly string[]
}

/** So long before its end a token is replaced: a request under way still has it. */
const earlyMs = 30_000
/** The time a refresh may take: none of its requests may still run when the next holder begins. */
const leaseMs = 30_000
const lookEveryMs = 100
/**
 * The answers of an authorization server that no longer knows a client or a grant: only a person
 * can help.
 */
const refusals = new Set<string>(['invalid_client', 'invalid_grant', 'unauthorized_client'])
/** An answer may come after the next token was given out, hardly after the one after that. */
const rememberedTokens = 3

/** Signs requests with what is stored, and renews it: one at a time, over all nodes. */
export function createUpstreamAuth(ports: OAuthPorts, target: SignInTarget): UpstreamAuth {
  const { connections, now } = ports
  let given: readonly string[] = []
  let refreshing: Promise<HeldTokens> | undefined

  const read = async () =>
    readTokens(await connections.find(target, { kind: 'tokens' }), target.url)
  const renew = (held: HeldTokens) =>
    (refreshing ??= refreshInTurn(ports, target, { held, read }).finally(
      () => (refreshing = undefined),
    ))
  return {
    async token() {
      let held = await read()
      if (held === undefined) return undefined
      const isOver = held.expiresAt !== undefined && held.expiresAt - earlyMs <= now()
      if (isOver && held.tokens.refresh_token !== undefined) held = await renew(held)
      const { access_token: token } = held.tokens
      if (given[0] !== token) given = [token, ...given].slice(0, rememberedTokens)
      return token
    },
    async onUnauthorized() {
      const held = await read()
      if (held === undefined) throw signInRequired(target.server)
      // Another process has renewed it.
      if (held.tokens.access_token !== given[0]) return
      if (held.tokens.refresh_token === undefined) throw signInRequired(target.server)
      await renew(held)
    },
    given: () => given,
    async stepUp(scope) {
      const held = await read()
      if (held !== undefined && scope !== undefined) {
        const wantedScope = computeScopeUnion(held.wantedScope, held.tokens.scope, scope)
        const { issuer, version, ...document } = held
        const value = toTokenValue({ ...document, wantedScope })
        await connections.put(target, { kind: 'tokens', issuer, value, ifVersion: version })
      }
      throw signInRequired(target.server, scope)
    },
  }
}

interface Turn {
  held: HeldTokens
  read(): Promise<HeldTokens | undefined>
}

/** The holder of the lease refreshes; the others wait for the result. */
async function refreshInTurn(
  ports: OAuthPorts,
  target: SignInTarget,
  { held, read }: Turn,
): Promise<HeldTokens> {
  const { issuer, version } = held
  const patience = ports.now() + 2 * leaseMs
  while (ports.now() < patience) {
    const lease = { issuer, version, ms: leaseMs }
    const until = ports.now() + leaseMs - answerMs
    if (await ports.connections.lease(target, 'tokens', lease)) {
      return refresh(ports, target, { held, until }).catch(async (error: unknown) => {
        await ports.connections.release(target, 'tokens', { issuer, version })
        throw error
      })
    }
    await sleep(lookEveryMs)
    const current = await read()
    if (current === undefined) throw signInRequired(target.server)
    if (current.version !== version) return current
  }
  throw notRenewed(target.server)
}

async function refresh(
  ports: OAuthPorts,
  target: SignInTarget,
  { held, until }: { held: HeldTokens; until: number },
): Promise<HeldTokens> {
  const { server, url, oauth } = target
  // A token that two clients send is taken for stolen, and all tokens derived from it become void.
  const fetchFn = boundFetch(ports.fetchFor(target), () => ports.now() <= until)
  const { state: discovery } = await discoverSignIn(url, fetchFn).catch((error: unknown) => {
    throw notRenewed(server, error)
  })
  const tokens = { ...held.tokens, issuer: held.issuer } as StoredOAuthTokens
  const holder = await createRegisteredClient(ports, target).findHolder(held)
  const pass: OAuthPass = { discovery, tokens, holder }
  const client = createOAuthClient(ports, target, pass)
  const scope = oauth.scopes.length > 0 ? oauth.scopes.join(' ') : undefined
  await auth(client, { serverUrl: url, fetchFn, scope }).catch(async (error: unknown) => {
    const isRefused = error instanceof OAuthError && refusals.has(error.code)
    if (error instanceof OAuthError && error.code === 'invalid_client') {
      // The next sign-in registers us again.
      await client.invalidateCredentials?.('client')
    }
    if (isRefused) pass.isVoid = true
    if (pass.isVoid !== true) throw notRenewed(server, error)
  })
  if (pass.granted === undefined) return giveUp(ports, target, { held, pass })
  const fresh = toDocument(ports, target, { tokens: pass.granted.tokens, before: held })
  const value = toTokenValue(fresh)
  const { issuer } = held
  const entry = { kind: 'tokens', issuer, value, ifVersion: held.version } as const
  const version = await ports.connections.put(target, entry)
  // Disconnected in the meantime: the new tokens are discarded.
  if (version === undefined) throw signInRequired(server)
  return { ...fresh, issuer, version }
}

/** No new tokens: they are void, another issuer is in charge now, or it could not be reached. */
async function giveUp(
  ports: OAuthPorts,
  target: SignInTarget,
  { held, pass }: { held: HeldTokens; pass: OAuthPass },
): Promise<never> {
  const { authorizationServerMetadata, authorizationServerUrl } = pass.discovery
  const issuer = authorizationServerMetadata?.issuer ?? authorizationServerUrl
  const isOver = pass.isVoid === true || issuer !== held.issuer
  if (!isOver) throw notRenewed(target.server)
  await ports.connections.remove(target, { kind: 'tokens', issuer: held.issuer })
  throw signInRequired(target.server)
}

interface GivenTokens {
  tokens: StoredOAuthTokens
  before?: HeldTokens
  client?: HeldTokens['client']
}

/** The stored facts about tokens. */
export function toDocument(
  { now }: OAuthPorts,
  { url }: SignInTarget,
  { tokens, before, client = before?.client }: GivenTokens,
) {
  const { expires_in: seconds } = tokens
  return {
    url,
    tokens: { ...tokens, scope: tokens.scope ?? before?.tokens.scope },
    ...(seconds !== undefined && { expiresAt: now() + seconds * 1000 }),
    ...(client !== undefined && { client }),
  }
}

function notRenewed(server: string, cause?: unknown): ToolError {
  return new ToolError('upstream_failed', `The sign-in to ${server} could not be renewed`, {
    fix: 'Its authorization server does not answer as it should; try again later.',
    cause,
  })
}
