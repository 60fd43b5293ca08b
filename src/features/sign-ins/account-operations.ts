import { z } from 'zod'
import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { shortText } from '../../core/operations/fields.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import { parseEmail } from '../../core/people/email.ts'
import type { Member } from '../../core/people/member.ts'
import type { SignIn, Visitor } from '../../core/sign-in/sign-in.ts'
import { parseNewPassword } from './credentials.ts'
import type { SignInParts } from './parts.ts'
import { account, passwordRequest } from './schemas.ts'
import { checkPassword } from './sign-in.ts'

/** A person who has just signed in by a link or provider need not know the old password. */
const freshMs = 3_600_000

const define = operationsOf<SignInParts>('Sign-in')
const answer = { description: 'The member who is signed in', schema: account } as const

const findAccount = define({
  http: 'GET /api/v1/account',
  summary: 'Get your account',
  needs: 'signed-in',
  agents: 'none',
  answer,
  run: (_input, { caller, parts }) => toAccount(parts, caller),
})

const changeAccount = define({
  http: 'PATCH /api/v1/account',
  summary: 'Change your display name',
  needs: 'signed-in',
  agents: 'none',
  body: z
    .strictObject({ name: shortText('Your display name').max(100) })
    .meta({ id: 'AccountChange' }),
  answer,
  async run({ name }, { caller, parts }) {
    const { member } = await findSelf(parts, caller)
    const edit = { by: caller.principal, change: { name: parseName(name) } }
    await parts.store.members.change(member.tenant, member.id, edit)
    return toAccount(parts, caller)
  },
})

const changePassword = define({
  http: 'PUT /api/v1/account/password',
  summary: 'Set your password',
  description:
    'The current password is required unless you signed in with a link within the last hour. All your other sign-ins end.',
  needs: 'signed-in',
  agents: 'none',
  body: passwordRequest,
  async run(change, { caller, parts, origin }) {
    const { member, hasPassword, signIn } = await findSelf(parts, caller)
    if (signIn === undefined) {
      throw new ToolError(
        'forbidden',
        'Only a person signed in with a browser can set a password',
        {
          fix: 'Open a sign-in link: toolcrib sign-in-link.',
        },
      )
    }
    const given = change.email === undefined ? undefined : parseEmail(change.email)
    const email = member.email ?? given
    if (email === undefined) throw noAddress()
    const password = parseNewPassword(change.password, email)
    if (needsPassword(hasPassword, signIn, parts.store.now())) {
      const { current } = change
      const visitor = origin?.().visitor ?? {}
      const { tenant } = member
      await assertKnows(parts, { tenant, visitor, email, current, hasPassword })
    }
    await parts.store.signIn.people.setPassword(member.tenant, member.id, {
      hash: await parts.passwords.hash(password),
      email: member.email === undefined ? email : undefined,
      keep: signIn.id,
      by: caller.principal,
    })
  },
})

/** Your own account, by library method. */
export const accountOperations = { findAccount, changeAccount, changePassword }

async function toAccount(parts: SignInParts, caller: Caller): Promise<z.output<typeof account>> {
  const { member, hasPassword, signIn } = await findSelf(parts, caller)
  const tenant = await parts.store.tenants.find(member.tenant)
  return {
    tenant: member.tenant,
    tenantName: tenant?.name ?? member.tenant,
    member,
    hasPassword,
    needsPassword: needsPassword(hasPassword, signIn, parts.store.now()),
    ...(signIn !== undefined && { signIn }),
  }
}

/** A name must contain more than spaces. */
function parseName(given: string): string {
  const name = given.trim()
  if (name !== '') return name
  throw new ToolError('invalid_request', 'A name must not be empty', {
    issues: [{ path: '/name', message: 'has nothing but spaces' }],
    fix: 'Enter the name that others see.',
  })
}

interface Self {
  member: Member
  hasPassword: boolean
  signIn: SignIn | undefined
}

async function findSelf({ store }: SignInParts, caller: Caller): Promise<Self> {
  const { kind, id } = caller.principal
  // People are members of their own tenant, wherever they act.
  const tenant = caller.home ?? caller.tenant
  const found = kind === 'user' ? await store.members.findWithPassword(tenant, { id }) : undefined
  if (found === undefined) {
    throw new ToolError('not_found', 'This caller is not a member, so it has no account', {
      fix: 'Sign in as a person; keys are managed with toolcrib keys.',
    })
  }
  const all = caller.signInId === undefined ? [] : await store.signIn.signIns.list(tenant, id)
  return {
    member: found.member,
    hasPassword: found.passwordHash !== undefined,
    signIn: all.find((one) => one.id === caller.signInId),
  }
}

/** A stolen cookie must not be usable to set a password, which would outlive it. */
function needsPassword(hasPassword: boolean, signIn: SignIn | undefined, now: number): boolean {
  if (signIn === undefined) return hasPassword
  return !(isFresh(signIn, now) && (signIn.method === 'link' || !hasPassword))
}

function isFresh({ createdAt }: SignIn, now: number): boolean {
  return now - Date.parse(createdAt) < freshMs
}

interface Knows {
  tenant: string
  visitor: Visitor
  email: string
  current: string | undefined
  hasPassword: boolean
}

async function assertKnows(parts: SignInParts, { tenant, visitor, ...given }: Knows) {
  if (!given.hasPassword) {
    throw new ToolError('forbidden', 'This sign-in is too old to set a first password', {
      fix: 'Sign in again, then set it within an hour.',
    })
  }
  const tried = { tenant, email: given.email, password: given.current ?? '', visitor }
  if (given.current !== undefined && (await checkPassword(parts, tried)) !== undefined) return
  throw new ToolError('invalid_request', 'The current password is wrong', {
    issues: [{ path: '/current', message: 'is not your current password' }],
    fix: 'Enter it again, or sign in with a link, which needs no password.',
  })
}

function noAddress(): ToolError {
  return new ToolError('invalid_request', 'Your email address is missing', {
    issues: [{ path: '/email', message: 'is needed to sign in with a password' }],
    fix: 'Enter your email address together with the password.',
  })
}
