import { auth, computeScopeUnion } from '@modelcontextprotocol/client'
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Principal } from '../../core/kernel/call.ts'
import { ToolError, isToolError } from '../../core/kernel/errors.ts'
import type {
  PendingSignIn,
  SignInStarter,
  SignInTarget,
  StartedSignIn,
} from '../../core/gateway/connection-store.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import { boundFetch } from './bounded-fetch.ts'
import { discoverSignIn } from './discover-sign-in.ts'
import { ensureClient } from './ensure-client.ts'
import { createOAuthClient, type OAuthPass } from './oauth-client.ts'
import type { OAuthPorts } from './oauth-ports.ts'
import { createRegisteredClient } from './registered-client.ts'
import { signInFailed } from './sign-in-required.ts'
import { readTokens, toTokenValue } from './token-document.ts'
import { toDocument } from './upstream-auth.ts'

/** How long somebody may take at the authorization server. */
const awayMs = 10 * 60_000

const pendingDocument = z.looseObject({
  url: z.string(),
  verifier: z.string(),
  discovery: z.looseObject({ authorizationServerUrl: z.string() }),
  by: z.looseObject({ kind: z.string(), id: z.string() }),
  /** The browser session that began it; a key began it otherwise. */
  signInId: z.string().optional(),
})

/** The parameters of the redirect from the authorization server. */
export interface SignInAnswer {
  state: string
  code?: string
  iss?: string
  error?: string
}

/** Begins a sign-in: finds the authorization server, makes us known to it where it has to be. */
export async function beginSignIn(
  ports: OAuthPorts,
  target: SignInTarget,
  { by, signInId }: SignInStarter,
): Promise<StartedSignIn> {
  const { connections, now } = ports
  const { url, oauth, server } = target
  const fetchFn = boundFetch(ports.fetchFor(target))
  const held = readTokens(await connections.find(target, { kind: 'tokens' }), url)
  const state = randomBytes(32).toString('base64url')
  const pass = await told(server, async () => {
    const found = await discoverSignIn(url, fetchFn)
    const started: OAuthPass = { discovery: found.state, state }
    const scope = computeScopeUnion(oauth.scopes.join(' '), held?.wantedScope, found.scope)
    const client = createOAuthClient(ports, target, started)
    await ensureClient(client, started, fetchFn)
    await auth(client, { serverUrl: url, scope, fetchFn, forceReauthorization: true })
    return started
  })
  const { url: leadsTo, verifier, discovery } = pass
  if (leadsTo === undefined || !/^https?:$/.test(leadsTo.protocol)) {
    throw signInFailed(server, 'its authorization server has no page to sign in at')
  }
  const expiresAt = now() + awayMs
  const value = { url, verifier, discovery, by, signInId } as unknown as JsonValue
  const { tenant, subject } = target
  await connections.begin(state, { tenant, server, subject, value, expiresAt })
  return { url: leadsTo.href, expiresAt }
}

/** The person who began this sign-in; undefined if it is over or never existed. */
export function startedBy(pending: PendingSignIn): SignInStarter | undefined {
  const { data } = pendingDocument.safeParse(pending.value)
  return data && { by: data.by as Principal, signInId: data.signInId }
}

/**
 * Ends a sign-in with the redirect's parameters. The pending one is used up, whatever the result.
 */
export async function finishSignIn(
  ports: OAuthPorts,
  target: SignInTarget,
  { pending, answer }: { pending: PendingSignIn; answer: SignInAnswer },
): Promise<void> {
  const { server, url } = target
  const begun = pendingDocument.safeParse(pending.value).data
  if (begun === undefined || begun.url !== url) {
    throw signInFailed(server, 'the server has another address now')
  }
  if (answer.code === undefined) {
    throw signInFailed(server, `its authorization server said ${toWord(answer.error)}`)
  }
  const fetchFn = boundFetch(ports.fetchFor(target))
  const pass: OAuthPass = {
    discovery: begun.discovery,
    verifier: begun.verifier,
  }
  const client = createOAuthClient(ports, target, pass)
  const { code: authorizationCode, iss } = answer
  await told(server, () => auth(client, { serverUrl: url, authorizationCode, iss, fetchFn }))
  if (pass.granted === undefined) throw signInFailed(server, 'it returned no token')
  await store(ports, target, { granted: pass.granted, by: begun.by as Principal })
}

async function store(
  ports: OAuthPorts,
  target: SignInTarget,
  { granted, by }: { granted: NonNullable<OAuthPass['granted']>; by: Principal },
): Promise<void> {
  const { connections, now } = ports
  const { tokens, issuer } = granted
  const { server, subject } = target
  const isConfigured = target.oauth.clientId !== undefined
  const client = isConfigured ? undefined : await createRegisteredClient(ports, target).find(issuer)
  const value = toTokenValue(toDocument(ports, target, { tokens, ...(client && { client }) }))
  const data = { server, subject, issuer }
  const told = { principal: by, event: { type: 'mcp.server.signed_in', at: now(), data } } as const
  await connections.put(target, { kind: 'tokens', issuer, value, told })
  // The earlier authorization server is not asked again.
  const all = await connections.list(target.tenant, server)
  const others = all.filter((one) => one.subject === subject && one.issuer !== issuer)
  for (const other of others) {
    await connections.remove(target, { kind: 'tokens', issuer: other.issuer })
  }
}

/** Errors on the way are worded for a person and contain no token. */
async function told<T>(server: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isToolError(error)) throw error
    const words = error instanceof Error ? error.message : String(error)
    throw signInFailed(server, plain(words), error)
  }
}

function plain(words: string): string {
  return words
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, ' ')
    .replaceAll(/[\w-]{40,}/g, '…')
    .slice(0, 300)
}

/** An error code as the standard has them; anything else is not repeated. */
function toWord(error: string | undefined): string {
  return error !== undefined && /^[a-z_]{1,60}$/.test(error) ? error : 'no'
}

/** A sign-in that is over, was used, or never was. */
export function signInIsOver(): ToolError {
  return new ToolError('sign_in_failed', 'This sign-in is over, or was used already', {
    fix: 'Begin again with: toolcrib mcp login <server>',
  })
}
