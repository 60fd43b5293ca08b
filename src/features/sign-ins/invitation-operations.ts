import { z } from 'zod'
import { ToolError, isToolError } from '../../core/kernel/errors.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import { parseEmail } from '../../core/people/email.ts'
import { emailTaken } from '../../core/people/member-rules.ts'
import { checkScopes } from '../../core/policy/check-scopes.ts'
import { linkIsOver } from '../../core/sign-in/sign-in.ts'
import type { OpenedSignIn, SignInDoor, Visitor } from '../../core/sign-in/sign-in.ts'
import type { OneTime } from './sign-in-store.ts'
import { assertMayAdmit } from '../people/model.ts'
import { parseNewPassword, parsePersonName } from './credentials.ts'
import { assertStillAdmits, makerShape, toLink, toMaker } from './link-maker.ts'
import type { SignInParts } from './parts.ts'
import { invitation, invitationRequest, type Invitation } from './schemas.ts'

const invitationMs = 7 * 86_400_000
/** Each invitation admits one person; no tenant needs more open ones. */
const openAtMost = 500

const factsSchema = z.object({
  email: z.string(),
  role: z.string(),
  permissions: z.array(z.string()),
  invitedBy: z.string(),
  home: makerShape.home,
  signInId: makerShape.signInId,
})

const define = operationsOf<SignInParts>('Sign-in')
const managing = { needs: 'members.manage', agents: 'none' } as const

const listInvitations = define({
  http: 'GET /api/v1/invitations',
  summary: 'List open invitations',
  ...managing,
  answer: {
    description: 'The invitations, without their links',
    schema: z.object({ items: z.array(invitation) }),
  },
  async run(_input, { caller, parts }) {
    const all = await parts.store.signIn.tokens.list(caller.tenant, 'invitation')
    return { items: all.map((one) => toInvitation(one, parts.store.now())) }
  },
})

const createInvitation = define({
  http: 'POST /api/v1/invitations',
  summary: 'Invite somebody',
  description: 'The link is shown only in this response. It works once, for seven days.',
  ...managing,
  body: invitationRequest,
  answer: {
    status: 201,
    description: 'The invitation and its link',
    schema: z.object({ invitation, url: z.string() }),
  },
  async run({ email: given, role, permissions = [] }, { caller, parts, origin }) {
    const { store, roles } = parts
    const { tenant, principal } = caller
    const { tokens } = store.signIn
    const email = parseEmail(given)
    roles.assertRole(role)
    checkScopes(permissions, [])
    await assertMayAdmit({ members: store.members, roles }, caller, { role, permissions })
    if ((await store.members.findByEmail(tenant, email)) !== undefined) throw emailTaken(email)
    const open = await tokens.list(tenant, 'invitation')
    if (open.length >= openAtMost) throw tooMany()
    const { by: invitedBy, ...from } = toMaker(caller)
    const made = await tokens.create({
      kind: 'invitation',
      tenant,
      facts: { email, role, permissions, invitedBy, ...from },
      lifetimeMs: invitationMs,
      told: ({ id }) => {
        const data = { invitation: id, email, role, permissions }
        return { principal, event: { type: 'member.invited', data } }
      },
    })
    const url = toLink(origin, `/invitation?token=${made.token}`)
    return { invitation: toInvitation(made, store.now()), url }
  },
})

const revokeInvitation = define({
  http: 'DELETE /api/v1/invitations/{id}',
  summary: 'Revoke an invitation',
  description: 'Its link no longer works.',
  ...managing,
  params: { id: 'The id of the invitation' },
  async run({ id }, { caller, parts }) {
    const { store, roles } = parts
    const { tenant, principal } = caller
    const { tokens } = store.signIn
    const wanted = (await tokens.list(tenant, 'invitation')).find((one) => one.id === id)
    if (wanted !== undefined) {
      const admission = { members: store.members, roles }
      await assertMayAdmit(admission, caller, toInvitation(wanted, store.now()))
    }
    const data = { invitation: id.slice(0, 100) }
    const event = { type: 'member.uninvited', data } as const
    if (await tokens.revoke(tenant, { kind: 'invitation', id }, { principal, event })) return
    const name = JSON.stringify(id.slice(0, 100))
    throw new ToolError('not_found', `There is no open invitation ${name}`, {
      fix: 'toolcrib members invitations lists them.',
    })
  },
})

/** Invitations, by library method. */
export const invitationOperations = { listInvitations, createInvitation, revokeInvitation }

/** The methods behind the page of an invitation. */
export function createInvitationDoor(
  parts: SignInParts,
): Pick<SignInDoor, 'findInvitation' | 'acceptInvitation'> {
  return {
    async findInvitation(token) {
      const { tenant, offer } = await findOpen(parts, token)
      const found = await parts.store.tenants.find(tenant)
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
): Promise<OpenedSignIn> {
  // Checked first: hashing is expensive, and nobody may cause it without a valid link.
  const { tenant, offer } = await findOpen(parts, request.token)
  const name = parsePersonName(request.name)
  const password = parseNewPassword(request.password, offer.email)
  const { email, role, permissions } = offer
  const passwordHash = await parts.passwords.hash(password)
  try {
    return await parts.store.signIn.signIns.open({
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

/** The person was added in another way after the invitation. */
function alreadyThere(email: string): ToolError {
  return new ToolError('conflict', `${email} is already a member`, {
    fix: 'Sign in at /sign-in, or ask the person who invited you for a sign-in link.',
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
  return new ToolError('quota_exceeded', `There are already ${openAtMost} open invitations`, {
    fix: 'Revoke those that nobody will accept.',
  })
}
