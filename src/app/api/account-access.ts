import type { Caller } from '../../core/call.ts'
import { ToolError } from '../../core/errors.ts'
import { parseEmail } from '../../core/people/email.ts'
import type { Member } from '../../core/people/member.ts'
import { parseNewPassword } from '../../core/sign-in/credentials.ts'
import type { Session } from '../../core/sign-in/session.ts'
import type { Account, SignInApi } from '../../core/sign-in/sign-in-api.ts'
import { requireUnbound } from '../../core/operations/require-permission.ts'
import { checkPassword } from './sign-in-access.ts'
import type { SignInParts } from './sign-in-access.ts'

type AccountAccess = Pick<SignInApi, 'findAccount' | 'changeAccount' | 'changePassword'>

/** Who has just come by a link or from a provider need not know an old password. */
const freshMs = 3_600_000

/** One's own account. */
export function createAccountAccess(parts: SignInParts): AccountAccess {
  return {
    findAccount: (caller) => findAccount(parts, caller),
    async changeAccount(caller, { name }) {
      requireUnbound(caller)
      const { member } = await findSelf(parts, caller)
      const edit = { by: caller.principal, change: { name: parseName(name) } }
      await parts.store.members.change(member.tenant, member.id, edit)
      return findAccount(parts, caller)
    },
    changePassword: (caller, change, visitor) =>
      changePassword(parts, { caller, ...change }, visitor),
  }
}

async function findAccount(parts: SignInParts, caller: Caller): Promise<Account> {
  const { member, hasPassword, session } = await findSelf(parts, caller)
  const tenant = await parts.store.tenants.find(member.tenant)
  return {
    tenant: member.tenant,
    tenantName: tenant?.name ?? member.tenant,
    member,
    hasPassword,
    needsPassword: needsPassword(hasPassword, session, parts.store.now()),
    ...(session !== undefined && { session }),
  }
}

/** Others know one by it: blanks alone would be nobody. */
function parseName(given: string): string {
  const name = given.trim()
  if (name !== '') return name
  throw new ToolError('invalid_request', 'A name is not empty', {
    issues: [{ path: '/name', message: 'has nothing but blanks' }],
    fix: 'Say what others are to call you.',
  })
}

interface Self {
  member: Member
  hasPassword: boolean
  session: Session | undefined
}

async function findSelf({ store }: SignInParts, caller: Caller): Promise<Self> {
  const { kind, id } = caller.principal
  // One is a member at home, wherever one acts.
  const tenant = caller.home ?? caller.tenant
  const found = kind === 'user' ? await store.members.findWithPassword(tenant, { id }) : undefined
  if (found === undefined) {
    throw new ToolError('not_found', 'This caller is no member, so it has no account', {
      fix: 'Sign in as a person; keys are managed with toolcrib keys.',
    })
  }
  const all = caller.signInId === undefined ? [] : await store.signIn.sessions.list(tenant, id)
  return {
    member: found.member,
    hasPassword: found.passwordHash !== undefined,
    session: all.find((session) => session.id === caller.signInId),
  }
}

/** A stolen session must not be turned into a password that outlives it. */
function needsPassword(hasPassword: boolean, session: Session | undefined, now: number): boolean {
  if (session === undefined) return hasPassword
  return !(isFresh(session, now) && (session.method === 'link' || !hasPassword))
}

function isFresh({ createdAt }: Session, now: number): boolean {
  return now - Date.parse(createdAt) < freshMs
}

async function changePassword(
  parts: SignInParts,
  change: { caller: Caller } & Parameters<SignInApi['changePassword']>[1],
  visitor: Parameters<SignInApi['changePassword']>[2],
): Promise<void> {
  const { caller } = change
  const self = await findSelf(parts, caller)
  if (caller.signInId === undefined || self.session === undefined) {
    throw new ToolError('forbidden', 'A password is set by whoever is signed in with a browser', {
      fix: 'Open a sign-in link: toolcrib sign-in-link.',
    })
  }
  const { member } = self
  const email = member.email ?? (change.email === undefined ? undefined : parseEmail(change.email))
  if (email === undefined) throw noAddress()
  const password = parseNewPassword(change.password, email)
  if (needsPassword(self.hasPassword, self.session, parts.store.now())) {
    const given = { email, current: change.current, hasPassword: self.hasPassword }
    await assertKnows(parts, { tenant: member.tenant, visitor, ...given })
  }
  await parts.store.signIn.people.setPassword(member.tenant, member.id, {
    hash: await parts.passwords.hash(password),
    email: member.email === undefined ? email : undefined,
    keep: self.session.id,
    by: caller.principal,
  })
}

interface Knows {
  tenant: string
  visitor: Parameters<SignInApi['changePassword']>[2]
  email: string
  current: string | undefined
  hasPassword: boolean
}

async function assertKnows(parts: SignInParts, { tenant, visitor, ...given }: Knows) {
  if (!given.hasPassword) {
    throw new ToolError('forbidden', 'This session is too old to set a first password', {
      fix: 'Sign in again, then set it within the hour.',
    })
  }
  const tried = { tenant, email: given.email, password: given.current ?? '', visitor }
  if (given.current !== undefined && (await checkPassword(parts, tried)) !== undefined) return
  throw new ToolError('invalid_request', 'The current password is wrong', {
    issues: [{ path: '/current', message: 'is not your current password' }],
    fix: 'Type it again, or sign in with a link: then it is not asked for.',
  })
}

function noAddress(): ToolError {
  return new ToolError('invalid_request', 'An address to sign in with is missing', {
    issues: [{ path: '/email', message: 'is needed to sign in with a password' }],
    fix: 'Give your e-mail address together with the password.',
  })
}
