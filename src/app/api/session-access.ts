import type { Caller } from '../../core/call.ts'
import { ToolError } from '../../core/errors.ts'
import type { SignInApi } from '../../core/sign-in/sign-in-api.ts'
import { assertMayAdmit } from '../../features/people/model.ts'
import {
  holds,
  requirePermission,
  requireUnbound,
} from '../../core/operations/require-permission.ts'
import type { SignInParts } from './sign-in-access.ts'
import { toMaker } from './still-admits.ts'

type SessionAccess = Pick<
  SignInApi,
  'listSessions' | 'endSession' | 'endSessions' | 'createSignInLink'
>

const linkMs = 3_600_000

/** Who is signed in where, and links that sign in. */
export function createSessionAccess(parts: SignInParts): SessionAccess {
  const { sessions } = parts.store.signIn
  return {
    async listSessions(caller, query) {
      const { tenant, member } = await memberFor(parts, caller, query.member)
      const all = await sessions.list(tenant, member)
      return all.map((session) => ({ ...session, isCurrent: session.id === caller.signInId }))
    },
    async endSession(caller, id) {
      const { principal } = caller
      const own = isPerson(caller) ? ownOf(caller) : undefined
      if (own && (await sessions.end(own.tenant, id, { principal, member: own.member }))) return
      if (await endOfOther(parts, caller, id)) return
      throw new ToolError('not_found', `There is no session ${JSON.stringify(id.slice(0, 100))}`, {
        fix: 'GET /api/v1/sessions lists them.',
      })
    },
    async endSessions(caller, { member: asked, keepCurrent }) {
      const { principal, signInId } = caller
      const { tenant, member } = await memberFor(parts, caller, asked)
      await assertMayEnd(parts, caller, { tenant, member })
      const except = keepCurrent === true ? signInId : undefined
      return { ended: await sessions.endAll(tenant, member, { principal, except }) }
    },
    createSignInLink: (caller, request) => createLink(parts, caller, request),
  }
}

interface Whose {
  tenant: string
  member: string
}

/** Somebody else's session, by whoever manages members. False when there is none. */
async function endOfOther(parts: SignInParts, caller: Caller, id: string): Promise<boolean> {
  const { tenant, principal } = caller
  if (!holds(caller, 'members.manage')) return false
  const { sessions } = parts.store.signIn
  const member = await sessions.findMember(tenant, id)
  if (member === undefined) return false
  await assertMayEnd(parts, caller, { tenant, member })
  return sessions.end(tenant, id, { principal, member })
}

/** One's own, and those of members who hold no more than oneself. */
async function assertMayEnd(
  parts: SignInParts,
  caller: Caller,
  { tenant, member: id }: Whose,
): Promise<void> {
  const { principal, home = caller.tenant } = caller
  if (isPerson(caller) && id === principal.id && tenant === home) return
  const member = await parts.store.members.find(tenant, id)
  if (member !== undefined)
    await assertMayAdmit({ ...parts, members: parts.store.members }, caller, member)
}

/** Oneself, or somebody else with the permission. */
async function memberFor(
  { store }: SignInParts,
  caller: Caller,
  asked: string | undefined,
): Promise<Whose> {
  if (asked === undefined) return ownOf(caller)
  if (isPerson(caller) && caller.home === undefined && asked === caller.principal.id) {
    return ownOf(caller)
  }
  requirePermission(caller, 'members.manage')
  requireUnbound(caller)
  if ((await store.members.find(caller.tenant, asked)) === undefined) throw noMember(asked)
  return { tenant: caller.tenant, member: asked }
}

function isPerson({ principal }: Caller): boolean {
  return principal.kind === 'user'
}

/** One is a member at home, wherever one acts. */
function ownOf(caller: Caller): Whose {
  const { principal, tenant, home } = caller
  if (isPerson(caller)) return { tenant: home ?? tenant, member: principal.id }
  throw new ToolError('invalid_request', 'A key has no sessions of its own', {
    fix: 'Name a member: ?member=<id>.',
  })
}

async function createLink(
  parts: SignInParts,
  caller: Caller,
  { member: asked, opensAtOnce = false }: Parameters<SignInApi['createSignInLink']>[1],
): ReturnType<SignInApi['createSignInLink']> {
  const { store } = parts
  const { principal, tenant } = caller
  requirePermission(caller, 'members.manage')
  const member =
    asked === undefined
      ? await store.signIn.people.findOwner(tenant)
      : await store.members.find(tenant, asked)
  if (member === undefined) throw asked === undefined ? noOwner() : noMember(asked)
  if (member.status !== 'active') {
    throw new ToolError('conflict', `${member.name} is suspended`, {
      fix: 'Take the member up again first.',
    })
  }
  await assertMayAdmit({ ...parts, members: parts.store.members }, caller, member)
  const link = await store.signIn.tokens.create({
    kind: 'sign-in',
    tenant,
    facts: { member: member.id, opensAtOnce, ...toMaker(caller) },
    lifetimeMs: linkMs,
    told: ({ id }) => ({
      principal,
      event: { type: 'member.link_created', at: Date.now(), data: { member: member.id, link: id } },
    }),
  })
  const { token, expiresAt } = link
  return { member: member.id, path: `/sign-in?token=${token}`, expiresAt }
}

function noMember(id: string): ToolError {
  return new ToolError('not_found', `There is no member ${JSON.stringify(id.slice(0, 100))}`, {
    fix: 'toolcrib members lists them.',
  })
}

function noOwner(): ToolError {
  return new ToolError('not_found', 'This tenant has no owner yet', {
    fix: 'Invite one: toolcrib members invite EMAIL --role owner.',
  })
}
