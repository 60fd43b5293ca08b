import { z } from 'zod'
import type { Caller } from '../../core/kernel/call.ts'
import { isToolError } from '../../core/kernel/errors.ts'
import { firstOwnerId } from '../../core/people/member.ts'
import type { Member } from '../../core/people/member.ts'
import type { RequestOrigin } from '../../core/operations/operation.ts'
import { requirePermission } from '../../core/operations/require-permission.ts'
import { linkIsOver } from '../../core/sign-in/sign-in.ts'
import { assertMayAdmit } from '../people/model.ts'
import type { SignInParts } from './parts.ts'

/** The author of a link: their principal, and their own tenant if they acted in another. */
export interface LinkMaker {
  by: string
  home?: string
  /** Their browser's sign-in; absent for the person who runs the process. */
  signInId?: string
}

/** The stored form is parsed with this. */
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

type Parts = Pick<SignInParts, 'store' | 'roles' | 'keyPermissions'>

/** A link to a page of this server; only its path if the address is unknown. */
export function toLink(origin: (() => RequestOrigin) | undefined, path: string): string {
  return origin === undefined ? path : new URL(path, origin().url).href
}

/** The author of a link, as stored with it. */
export function toMaker({ principal, home, signInId }: Caller): LinkMaker {
  return {
    by: `${principal.kind}:${principal.id}`,
    ...(home !== undefined && { home }),
    ...(signInId !== undefined && { signInId }),
  }
}

/**
 * A link stops working when its maker may no longer let that person in: the maker was removed,
 * suspended or demoted, their key was revoked, or the person now holds more than the maker.
 */
export async function assertStillAdmits(
  parts: Parts,
  { tenant, maker, admitted }: Admittance,
): Promise<void> {
  const caller = await findMaker(parts, tenant, maker)
  if (caller === undefined) throw linkIsOver()
  try {
    if (caller.home !== undefined) requirePermission(caller, 'tenants.manage')
    await assertMayAdmit({ members: parts.store.members, roles: parts.roles }, caller, admitted)
  } catch (error) {
    throw isToolError(error) && error.code === 'forbidden' ? linkIsOver() : error
  }
}

async function findMaker(
  { store, roles, keyPermissions }: Parts,
  tenant: string,
  { by, home, signInId }: LinkMaker,
): Promise<Caller | undefined> {
  const colon = by.indexOf(':')
  const [kind, id] = [by.slice(0, colon), by.slice(colon + 1)]
  const own = home ?? tenant
  const acting = { tenant, runtime: 'api', ...(home !== undefined && { home }) } as const
  if (kind === 'key') {
    const permissions = await keyPermissions(own, id)
    return permissions && { ...acting, principal: { kind, id }, permissions }
  }
  if (kind !== 'user') return undefined
  const principal = { kind, id } as const
  // The person who runs the process needs no role.
  const isHolder = id === firstOwnerId && signInId === undefined
  if (isHolder) return { ...acting, principal, permissions: ['*'] }
  const member = await store.members.find(own, id)
  if (member?.status !== 'active') return undefined
  return { ...acting, principal, permissions: roles.permissionsOf(member), signInId }
}
