import { z } from 'zod'
import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { shortText, time } from '../../core/operations/fields.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import {
  holds,
  requirePermission,
  requireUnbound,
} from '../../core/operations/require-permission.ts'
import { assertMayAdmit, memberNotFound } from '../people/model.ts'
import { toLink, toMaker } from './link-maker.ts'
import type { SignInParts } from './parts.ts'
import { listedSignIn } from './schemas.ts'

const linkMs = 3_600_000

const define = operationsOf<SignInParts>('Sign-in')
const member = shortText('The id of another member; needs members.manage').optional()

const listSignIns = define({
  http: 'GET /api/v1/sign-ins',
  summary: 'List where you are signed in',
  description: 'Newest first.',
  needs: 'signed-in',
  agents: 'none',
  query: z.strictObject({ member }),
  answer: { description: 'The sign-ins', schema: z.object({ items: z.array(listedSignIn) }) },
  async run({ member: asked }, { caller, parts }) {
    const whose = await memberFor(parts, caller, asked)
    const all = await parts.store.signIn.signIns.list(whose.tenant, whose.member)
    return { items: all.map((one) => ({ ...one, isCurrent: one.id === caller.signInId })) }
  },
})

const endSignIn = define({
  http: 'DELETE /api/v1/sign-ins/{id}',
  summary: 'Sign out one browser',
  description: 'It is signed out on every node.',
  needs: 'signed-in',
  agents: 'none',
  params: { id: 'The id of the sign-in' },
  async run({ id }, { caller, parts }) {
    const { principal } = caller
    const own = isPerson(caller) ? ownOf(caller) : undefined
    const { signIns } = parts.store.signIn
    if (own && (await signIns.end(own.tenant, id, { principal, member: own.member }))) return
    if (await endOfOther(parts, caller, id)) return
    throw new ToolError('not_found', `There is no sign-in ${JSON.stringify(id.slice(0, 100))}`, {
      fix: 'GET /api/v1/sign-ins lists them.',
    })
  },
})

const endSignIns = define({
  http: 'DELETE /api/v1/sign-ins',
  summary: 'Sign out everywhere',
  needs: 'signed-in',
  agents: 'none',
  query: z.strictObject({
    member,
    keepCurrent: z
      .enum(['true', 'false'])
      .optional()
      .meta({ description: 'Keep the sign-in of the current browser' }),
  }),
  answer: { description: 'How many have ended', schema: z.object({ ended: z.int() }) },
  async run({ member: asked, keepCurrent }, { caller, parts }) {
    const { principal, signInId } = caller
    const whose = await memberFor(parts, caller, asked)
    await assertMayEnd(parts, caller, whose)
    const except = keepCurrent === 'true' ? signInId : undefined
    const { signIns } = parts.store.signIn
    return { ended: await signIns.endAll(whose.tenant, whose.member, { principal, except }) }
  },
})

const createSignInLink = define({
  http: 'POST /api/v1/sign-in-links',
  summary: 'Create a one-time sign-in link',
  description: 'For an owner unless a member is named. It works once, for an hour.',
  needs: 'members.manage',
  agents: 'none',
  isBodyOptional: true,
  body: z
    .strictObject({ member: shortText('The id of the member').optional() })
    .meta({ id: 'SignInLinkRequest' }),
  answer: {
    status: 201,
    description: 'The link, shown only once',
    schema: z.object({ member: z.string(), url: z.string(), expiresAt: time }),
  },
  async run({ member: asked }, { caller, parts, origin }) {
    const { path, ...link } = await createLink(parts, caller, { asked, opensAtOnce: false })
    return { ...link, url: toLink(origin, path) }
  },
})

/** Sign-ins and sign-in links, by library method. */
export const signInOperations = { listSignIns, endSignIn, endSignIns, createSignInLink }

interface Whose {
  tenant: string
  member: string
}

/** A sign-in of another member, for managers of members. False when there is none. */
async function endOfOther(parts: SignInParts, caller: Caller, id: string): Promise<boolean> {
  const { tenant, principal } = caller
  if (!holds(caller, 'members.manage')) return false
  const { signIns } = parts.store.signIn
  const found = await signIns.findMember(tenant, id)
  if (found === undefined) return false
  await assertMayEnd(parts, caller, { tenant, member: found })
  return signIns.end(tenant, id, { principal, member: found })
}

/** Your own, and those of members who hold no more than you do. */
async function assertMayEnd(
  { store, roles }: SignInParts,
  caller: Caller,
  { tenant, member: id }: Whose,
): Promise<void> {
  const { principal, home = caller.tenant } = caller
  if (isPerson(caller) && id === principal.id && tenant === home) return
  const found = await store.members.find(tenant, id)
  if (found !== undefined) await assertMayAdmit({ members: store.members, roles }, caller, found)
}

/** Yourself, or another member with the permission. */
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
  if ((await store.members.find(caller.tenant, asked)) === undefined) throw memberNotFound(asked)
  return { tenant: caller.tenant, member: asked }
}

function isPerson({ principal }: Caller): boolean {
  return principal.kind === 'user'
}

/** People are members of their own tenant, wherever they act. */
function ownOf(caller: Caller): Whose {
  const { principal, tenant, home } = caller
  if (isPerson(caller)) return { tenant: home ?? tenant, member: principal.id }
  throw new ToolError('invalid_request', 'A key has no sign-ins of its own', {
    fix: 'Name a member: ?member=<id>.',
  })
}

/** A link for a member, or for an owner. `path` comes after the server's address. */
export async function createLink(
  { store, roles }: SignInParts,
  caller: Caller,
  { asked, opensAtOnce }: { asked?: string | undefined; opensAtOnce: boolean },
): Promise<{ member: string; path: string; expiresAt: string }> {
  const { principal, tenant } = caller
  const found =
    asked === undefined
      ? await store.signIn.people.findOwner(tenant)
      : await store.members.find(tenant, asked)
  if (found === undefined) throw asked === undefined ? noOwner() : memberNotFound(asked)
  if (found.status !== 'active') {
    throw new ToolError('conflict', `${found.name} is suspended`, {
      fix: `Resume them first: toolcrib members change ${found.id} --resume.`,
    })
  }
  await assertMayAdmit({ members: store.members, roles }, caller, found)
  const { token, expiresAt } = await store.signIn.tokens.create({
    kind: 'sign-in',
    tenant,
    facts: { member: found.id, opensAtOnce, ...toMaker(caller) },
    lifetimeMs: linkMs,
    told: ({ id }) => ({
      principal,
      event: { type: 'member.link_created', data: { member: found.id, link: id } },
    }),
  })
  return { member: found.id, path: `/sign-in?token=${token}`, expiresAt }
}

function noOwner(): ToolError {
  return new ToolError('not_found', 'This tenant has no owner yet', {
    fix: 'Invite one: toolcrib members invite EMAIL --role owner.',
  })
}
