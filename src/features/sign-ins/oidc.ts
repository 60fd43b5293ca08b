import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { ToolError } from '../../core/kernel/errors.ts'
import { parseVouchedEmail } from '../../core/people/email.ts'
import { linkIsOver } from '../../core/sign-in/sign-in.ts'
import type { OpenedSignIn, SignInDoor, Visitor } from '../../core/sign-in/sign-in.ts'
import { networkOf } from './attempt-rules.ts'
import type { OidcProviderConfig } from './config.ts'
import type { OidcIdentity } from './oidc-clients.ts'
import type { SignInParts } from './parts.ts'

/** How long signing in at the provider may take. */
const awayMs = 10 * 60_000
/** Every start is a row for ten minutes; a network may create this many without waiting. */
const freeStarts = 60

/** Signing in with another provider. */
export function createOidcDoor(parts: SignInParts): Pick<SignInDoor, 'startOidc' | 'finishOidc'> {
  const { store, oidc } = parts
  const { tokens, attempts } = store.signIn
  return {
    async startOidc(name, { redirectUri, next }, visitor) {
      const provider = oidc.find(name)
      const subject = startsOf(visitor)
      if (subject !== undefined) await attempts.begin([{ subject, free: freeStarts }])
      const secret = randomBytes(32).toString('base64url')
      const facts = {
        provider: name,
        browser: digestOf(secret),
        ...(next !== undefined && { next }),
      }
      const { token: state } = await tokens.create({
        kind: 'oidc',
        tenant: provider.tenant,
        facts,
        lifetimeMs: awayMs,
      })
      return { secret, url: await oidc.authorizationUrl(name, { redirectUri, state, secret }) }
    },
    async finishOidc(name, { url, redirectUri, secret }, visitor) {
      const provider = oidc.find(name)
      const state = new URL(url).searchParams.get('state') ?? ''
      if (secret === undefined) throw otherBrowser()
      const asked = await tokens.find('oidc', state)
      if (asked === undefined) throw linkIsOver()
      // Checked before it is used up, so that knowing the state alone is not enough to invalidate it.
      if (!isBoundTo(asked.facts, { name, secret })) throw otherBrowser()
      if ((await tokens.take('oidc', state)) === undefined) throw linkIsOver()
      const identity = await oidc.identify(name, { url, redirectUri, state, secret })
      const opened = await enter(parts, { provider, identity, visitor })
      const subject = startsOf(visitor)
      if (subject !== undefined) await attempts.succeed({ account: subject })
      const next = nextOf(asked.facts)
      return { ...opened, ...(next !== undefined && { next }) }
    },
  }
}

function startsOf(visitor: Visitor): string | undefined {
  const network = networkOf(visitor)
  return network === undefined ? undefined : `oidc ${network}`
}

function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

function isBoundTo(facts: unknown, { name, secret }: { name: string; secret: string }): boolean {
  const { provider, browser } = (facts ?? {}) as { provider?: unknown; browser?: unknown }
  if (provider !== name || typeof browser !== 'string') return false
  const [expected, given] = [Buffer.from(browser), Buffer.from(digestOf(secret))]
  return expected.length === given.length && timingSafeEqual(expected, given)
}

function nextOf(facts: unknown): string | undefined {
  const { next } = (facts ?? {}) as { next?: unknown }
  return typeof next === 'string' ? next : undefined
}

interface Arrived {
  provider: OidcProviderConfig
  identity: OidcIdentity
  visitor: Visitor
}

async function enter(
  { store, roles }: SignInParts,
  { provider, identity, visitor }: Arrived,
): Promise<OpenedSignIn> {
  const { tenant, allowedDomains, provision } = provider
  const email = parseVouchedEmail(identity.email)
  const domain = email.slice(email.lastIndexOf('@') + 1)
  if (allowedDomains !== undefined && !allowedDomains.includes(domain)) throw notWelcome()
  const entry = { tenant, method: 'oidc', visitor, via: provider.name } as const
  const known = await store.members.findByEmail(tenant, email)
  if (known !== undefined) {
    return store.signIn.signIns.open({ ...entry, who: { id: known.id } })
  }
  if (provision === undefined) throw notWelcome()
  roles.assertRole(provision.role)
  const name = toName(identity.name) ?? email
  const joins = { email, name, role: provision.role, permissions: [] }
  return store.signIn.signIns.open({ ...entry, who: { joins } })
}

/** The provider's name for a person is free text: keep one line of it, or nothing. */
function toName(text: string): string | undefined {
  const name = text
    .replaceAll(/[\p{Cc}\p{Cs}]/gu, ' ')
    .trim()
    .slice(0, 100)
  return name === '' ? undefined : name
}

function otherBrowser(): ToolError {
  return new ToolError(
    'sign_in_failed',
    'This sign-in was started in another browser, or too long ago',
    {
      fix: 'Start again at /sign-in.',
    },
  )
}

function notWelcome(): ToolError {
  return new ToolError('sign_in_failed', 'No member of this tenant has this address', {
    fix: 'Ask an administrator for an invitation.',
  })
}
