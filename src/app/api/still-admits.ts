import { z } from 'zod'
import type { Caller } from '../../core/call.ts'
import { isToolError } from '../../core/errors.ts'
import { firstOwnerId } from '../../core/people/member.ts'
import type { Member } from '../../core/people/member.ts'
import type { RoleBook } from '../../core/people/role-book.ts'
import type { Store } from '../../core/ports.ts'
import { linkIsOver } from '../../core/sign-in/link-is-over.ts'
import { createAuthorities } from '../governance/authorities.ts'
import { assertMayAdmit } from '../../features/people/model.ts'
import { requirePermission } from '../../core/operations/require-permission.ts'

/** Who made a link: as a principal, and where they belong when they acted in another tenant. */
export interface LinkMaker {
  by: string
  home?: string
  /** The browser they were signed in on; whoever holds the process has none. */
  signInId?: string
}

/** How it is read back. */
export const makerShape = {
  by: z.string(),
  home: z.string().optional(),
  signInId: z.string().optional(),
}

interface Admittance {
  tenant: string
  maker: LinkMaker
  admitted: Pick<Member, 'role' | 'permissions'>
}

interface Parts {
  store: Pick<Store, 'now' | 'members' | 'keys'>
  roles: RoleBook
}

/** What a link keeps of whoever makes it. */
export function toMaker({ principal, home, signInId }: Caller): LinkMaker {
  return {
    by: `${principal.kind}:${principal.id}`,
    ...(home !== undefined && { home }),
    ...(signInId !== undefined && { signInId }),
  }
}

/**
 * A link is an offer of whoever made it. It is over when they may no longer let that somebody in: they
 * were removed, suspended or demoted, their key was revoked, or whom it lets in has risen above them.
 */
export async function assertStillAdmits(
  parts: Parts,
  { tenant, maker, admitted }: Admittance,
): Promise<void> {
  const caller = await findMaker(parts, tenant, maker)
  if (caller === undefined) throw linkIsOver()
  try {
    if (caller.home !== undefined) requirePermission(caller, 'tenants.manage')
    await assertMayAdmit({ ...parts, members: parts.store.members }, caller, admitted)
  } catch (error) {
    throw isToolError(error) && error.code === 'forbidden' ? linkIsOver() : error
  }
}

async function findMaker(
  { store, roles }: Parts,
  tenant: string,
  { by, home, signInId }: LinkMaker,
): Promise<Caller | undefined> {
  const colon = by.indexOf(':')
  const [kind, id] = [by.slice(0, colon), by.slice(colon + 1)]
  const own = home ?? tenant
  const acting = { tenant, runtime: 'api', ...(home !== undefined && { home }) } as const
  if (kind === 'key') {
    const key = await store.keys.find(own, id)
    const authority = key && (await createAuthorities({ store, roles }).ofKey(key))
    if (authority === undefined || authority.isOver !== undefined) return undefined
    return { ...acting, principal: { kind, id }, permissions: authority.permissions }
  }
  if (kind !== 'user') return undefined
  const principal = { kind, id } as const
  // Whoever holds the process needs no role.
  const isHolder = id === firstOwnerId && signInId === undefined
  if (isHolder) return { ...acting, principal, permissions: ['*'] }
  const member = await store.members.find(own, id)
  if (member?.status !== 'active') return undefined
  return { ...acting, principal, permissions: roles.permissionsOf(member), signInId }
}
