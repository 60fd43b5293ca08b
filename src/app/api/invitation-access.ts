import { ToolError, isToolError } from '../../core/errors.ts'
import { parseEmail } from '../../core/people/email.ts'
import { emailTaken } from '../../core/people/member-rules.ts'
import { parseNewPassword, parsePersonName } from '../../core/sign-in/credentials.ts'
import { checkScopes } from '../../core/policy/check-scopes.ts'
import { linkIsOver } from '../../core/sign-in/link-is-over.ts'
import type { OpenedSession, Visitor } from '../../core/sign-in/session.ts'
import type { Invitation, SignInApi } from '../../core/sign-in/sign-in-api.ts'
import type { OneTime } from '../../core/sign-in/sign-in-store.ts'
import { z } from 'zod'
import { assertMayAdmit } from '../../features/people/model.ts'
import { requirePermission } from '../../core/operations/require-permission.ts'
import { assertStillAdmits, makerShape, toMaker } from './still-admits.ts'
import type { SignInParts } from './sign-in-access.ts'

type InvitationAccess = Pick<
  SignInApi,
  | 'createInvitation'
  | 'listInvitations'
  | 'revokeInvitation'
  | 'findInvitation'
  | 'acceptInvitation'
>

const invitationMs = 7 * 86_400_000
/** Each is a way in; nobody needs more of them open. */
const openAtMost = 500

const factsSchema = z.object({
  email: z.string(),
  role: z.string(),
  permissions: z.array(z.string()),
  invitedBy: z.string(),
  home: makerShape.home,
  signInId: makerShape.signInId,
})

/** Asking people in. */
export function createInvitationAccess(parts: SignInParts): InvitationAccess {
  const { store, roles } = parts
  const { tokens } = store.signIn
  const shown = (one: OneTime) => toInvitation(one, store.now())
  return {
    async createInvitation(caller, request) {
      requirePermission(caller, 'members.manage')
      const { tenant, principal } = caller
      const email = parseEmail(request.email)
      const { role, permissions = [] } = request
      roles.assertRole(role)
      checkScopes(permissions, [])
      await assertMayAdmit({ ...parts, members: parts.store.members }, caller, {
        role,
        permissions,
      })
      if ((await store.members.findByEmail(tenant, email)) !== undefined) throw emailTaken(email)
      const open = await tokens.list(tenant, 'invitation')
      if (open.length >= openAtMost) throw tooMany()
      const { by: invitedBy, ...from } = toMaker(caller)
      const made = await tokens.create({
        kind: 'invitation',
        tenant,
        facts: { email, role, permissions: [...permissions], invitedBy, ...from },
        lifetimeMs: invitationMs,
        told: ({ id }) => {
          const data = { invitation: id, email, role, permissions: [...permissions] }
          return { principal, event: { type: 'member.invited', at: Date.now(), data } }
        },
      })
      return {
        invitation: shown(made),
        path: `/invitation?token=${made.token}`,
      }
    },
    async listInvitations(caller) {
      requirePermission(caller, 'members.manage')
      return (await tokens.list(caller.tenant, 'invitation')).map(shown)
    },
    async revokeInvitation(caller, id) {
      requirePermission(caller, 'members.manage')
      const { tenant, principal } = caller
      const open = await tokens.list(tenant, 'invitation')
      const wanted = open.find((one) => one.id === id)
      if (wanted !== undefined)
        await assertMayAdmit({ ...parts, members: parts.store.members }, caller, shown(wanted))
      const data = { invitation: id.slice(0, 100) }
      const event = { type: 'member.uninvited', at: Date.now(), data } as const
      if (await tokens.revoke(tenant, { kind: 'invitation', id }, { principal, event })) return
      const name = JSON.stringify(id.slice(0, 100))
      throw new ToolError('not_found', `There is no open invitation ${name}`, {
        fix: 'toolcrib members invitations lists them.',
      })
    },
    async findInvitation(token) {
      const { tenant, offer } = await findOpen(parts, token)
      const found = await store.tenants.find(tenant)
      const { email, role } = offer
      return { tenant, tenantName: found?.name ?? tenant, email, role }
    },
    acceptInvitation: (request, visitor) => accept(parts, request, visitor),
  }
}

async function findOpen(parts: SignInParts, token: string) {
  const found = await parts.store.signIn.tokens.find('invitation', token)
  const read = factsSchema.safeParse(found?.facts)
  if (found === undefined || !read.success) throw linkIsOver()
  const { tenant } = found
  const { invitedBy: by, home, signInId, ...offer } = read.data
  await assertStillAdmits(parts, { tenant, maker: { by, home, signInId }, admitted: offer })
  return { tenant, offer }
}

async function accept(
  parts: SignInParts,
  request: { token: string; name: string; password: string },
  visitor: Visitor,
): Promise<OpenedSession> {
  // Looked at first: a digest is costly, and nobody may ask for one without a good link.
  const { tenant, offer } = await findOpen(parts, request.token)
  const name = parsePersonName(request.name)
  const password = parseNewPassword(request.password, offer.email)
  const { email, role, permissions } = offer
  const passwordHash = await parts.passwords.hash(password)
  try {
    return await parts.store.signIn.sessions.open({
      tenant,
      spends: { kind: 'invitation', token: request.token },
      who: { joins: { email, name, role, permissions }, passwordHash },
      method: 'invitation',
      visitor,
    })
  } catch (error) {
    if (isToolError(error) && error.code === 'conflict') throw alreadyThere(email)
    throw error
  }
}

/** They were added by other means since they were invited. */
function alreadyThere(email: string): ToolError {
  return new ToolError('conflict', `${email} is a member already`, {
    fix: 'Sign in at /sign-in, or ask whoever invited you for a sign-in link.',
  })
}

function toInvitation({ id, facts, createdAt, expiresAt }: OneTime, now: number): Invitation {
  const offer = factsSchema.safeParse(facts)
  const { email, role, permissions, invitedBy } = offer.success ? offer.data : unreadable
  const state = Date.parse(expiresAt) > now ? 'pending' : 'expired'
  return { id, email, role, permissions, invitedBy, createdAt, expiresAt, state }
}

const unreadable = { email: '', role: '', permissions: [], invitedBy: '' }

function tooMany(): ToolError {
  return new ToolError('quota_exceeded', `${openAtMost} invitations are open already`, {
    fix: 'Revoke those that nobody will accept.',
  })
}
