import { z } from 'zod'
import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { parseEmail } from '../../core/people/email.ts'
import type { RoleBook } from '../../core/people/role-book.ts'
import { defaultTenant } from '../../core/rules/tenant.ts'
import { linkIsOver } from '../../core/sign-in/sign-in.ts'
import type {
  OpenedSignIn,
  SignInDoor,
  VerifiedSignIn,
  Visitor,
} from '../../core/sign-in/sign-in.ts'
import { accountOf, networkOf } from './attempt-rules.ts'
import { toPassword } from './credentials.ts'
import { assertStillAdmits, makerShape } from './link-maker.ts'
import type { SignInParts } from './parts.ts'

type BrowserDoor = Pick<
  SignInDoor,
  'findSignedIn' | 'signInMethods' | 'signIn' | 'findSignInLink' | 'signInByLink' | 'signOut'
>

const linkSchema = z.object({
  member: z.string(),
  opensAtOnce: z.boolean().default(false),
  ...makerShape,
})

/** Signing in with a password or a link, and signing out. */
export function createBrowserDoor(parts: SignInParts): BrowserDoor {
  const { store, config, roles, oidc } = parts
  const { signIns, people } = store.signIn
  // The same caller while the sign-in is remembered: what is compiled from permissions is cached by identity.
  const callers = new WeakMap<VerifiedSignIn, Caller>()
  return {
    async findSignedIn(token) {
      const verified = await signIns.verify(token)
      if (verified === undefined || !(await parts.isTenantOpen(verified.member.tenant)))
        return undefined
      const known = callers.get(verified) ?? toCaller(verified, roles)
      callers.set(verified, known)
      return known
    },
    async signInMethods() {
      const [hasPasswords, { items }] = await Promise.all([
        config.password && people.havePasswords(),
        store.tenants.list({ limit: 2 }),
      ])
      return {
        password: hasPasswords,
        needsTenant: items.length > 1,
        oidc: oidc.providers.map(({ name, label }) => ({ name, label })),
      }
    },
    signIn: (request, visitor) => signInByPassword(parts, request, visitor),
    async findSignInLink(token) {
      const { tenant, member, opensAtOnce } = await findLink(parts, token)
      const found = await store.tenants.find(tenant)
      return { tenantName: found?.name ?? tenant, memberName: member?.name ?? '', opensAtOnce }
    },
    async signInByLink(token, visitor) {
      const { tenant, id } = await findLink(parts, token)
      return signIns.open({
        tenant,
        spends: { kind: 'sign-in', token },
        who: { id },
        method: 'link',
        visitor,
      })
    },
    signOut: (token) => signIns.endByToken(token),
  }
}

/** A link that still works, and whose maker may still let that member in. */
async function findLink(parts: SignInParts, token: string) {
  const link = await parts.store.signIn.tokens.find('sign-in', token)
  const facts = linkSchema.safeParse(link?.facts)
  if (link === undefined || !facts.success) throw linkIsOver()
  const { tenant } = link
  const { member: id, opensAtOnce, ...maker } = facts.data
  const member = await parts.store.members.find(tenant, id)
  if (member !== undefined) await assertStillAdmits(parts, { tenant, maker, admitted: member })
  return { tenant, id, member, opensAtOnce }
}

function toCaller({ member, signIn }: VerifiedSignIn, roles: RoleBook): Caller {
  return {
    tenant: member.tenant,
    principal: { kind: 'user', id: member.id },
    permissions: roles.permissionsOf(member),
    runtime: 'web',
    signInId: signIn.id,
  }
}

async function signInByPassword(
  parts: SignInParts,
  request: Parameters<SignInDoor['signIn']>[0],
  visitor: Visitor,
): Promise<OpenedSignIn> {
  const { config, store } = parts
  if (!config.password) {
    throw new ToolError('sign_in_failed', 'Signing in with a password is disabled here', {
      fix: 'Open /sign-in for other ways.',
    })
  }
  const tenant = request.tenant ?? defaultTenant
  const email = parseEmail(request.email)
  const id = await checkPassword(parts, { tenant, email, password: request.password, visitor })
  if (id === undefined) {
    await tellOfFailure(store, { tenant, email, visitor })
    throw wrongPassword()
  }
  return store.signIn.signIns.open({ tenant, who: { id }, method: 'password', visitor })
}

interface Try {
  tenant: string
  email: string
  password: string
  visitor: Visitor
}

/**
 * The member whose password this is. An attempt counts before the password is checked, and an unknown
 * address takes as long and gets the same answer.
 */
export async function checkPassword(
  { store, passwords }: Pick<SignInParts, 'store' | 'passwords'>,
  { tenant, email, password, visitor }: Try,
): Promise<string | undefined> {
  const { attempts, people } = store.signIn
  const account = accountOf(tenant, email)
  const address = networkOf(visitor)
  await attempts.begin([
    { subject: account, free: 5 },
    ...(address === undefined ? [] : [{ subject: address, free: 30 }]),
  ])
  const found = await store.members.findWithPassword(tenant, { email })
  const given = toPassword(password)
  const isRight = await passwords.verify(found?.passwordHash, given)
  if (!isRight || found?.member.status !== 'active' || found.passwordHash === undefined) {
    return undefined
  }
  await attempts.succeed({ account, address })
  const { id } = found.member
  if (passwords.isOutdated(found.passwordHash)) {
    const hashes = { from: found.passwordHash, to: await passwords.hash(given) }
    await people.rehash(tenant, id, hashes)
  }
  return id
}

/** Bounded by the limits on attempts. Unknown addresses are recorded too, so that the response takes as long. */
async function tellOfFailure(
  store: SignInParts['store'],
  { tenant, email, visitor }: Omit<Try, 'password'>,
): Promise<void> {
  if ((await store.tenants.find(tenant)) === undefined) return
  const address = visitor.address && { address: visitor.address }
  const data = { email, method: 'password', ...address } as const
  const principal = { kind: 'system', id: 'sign-in' } as const
  const event = { type: 'member.sign_in_failed', at: store.now(), data } as const
  await store.events.record([{ tenant, principal, events: [event] }])
}

function wrongPassword(): ToolError {
  return new ToolError('sign_in_failed', 'The address or the password is wrong', {
    fix: 'Try again, or ask an administrator for a sign-in link.',
  })
}
