import type { Caller } from '../kernel/call.ts'
import { ToolError } from '../kernel/errors.ts'
import { compilePermissions } from '../policy/permissions.ts'
import type { PermissionName } from '../policy/roles.ts'
import type { Needs } from './operation.ts'

export function holds(caller: Pick<Caller, 'permissions'>, permission: PermissionName): boolean {
  return compilePermissions(caller.permissions).has(permission)
}

/** Throws forbidden when the caller holds none of them. */
export function requireOneOf(caller: Caller, permissions: readonly PermissionName[]): void {
  if (permissions.some((permission) => holds(caller, permission))) return
  throw new ToolError('forbidden', `This needs the permission ${permissions.join(' or ')}`, {
    fix: `Use a key with the scope ${permissions.join(' or ')}, or a role that holds it (toolcrib whoami shows your permissions).`,
  })
}

/** Throws forbidden when the caller lacks the permission an operation needs. */
export function requireNeeds(caller: Caller, needs: Needs): void {
  if (needs === 'signed-in') return
  if (typeof needs === 'string') return requireOneOf(caller, [needs])
  if ('oneOf' in needs) return requireOneOf(caller, needs.oneOf)
  for (const permission of needs.all) requireOneOf(caller, [permission])
}

/** Throws forbidden when the caller does not hold it. */
export function requirePermission(caller: Caller, permission: PermissionName): void {
  requireOneOf(caller, [permission])
}

/**
 * For operators. A caller bound to an agent is refused, whatever its permissions: it could give its
 * agent permissions that the agent lacks.
 */
export function requireManager(caller: Caller, permissions: readonly PermissionName[]): void {
  requireOneOf(caller, permissions)
  requireUnbound(caller)
}

/**
 * Throws forbidden when these exceed the caller's permissions. A pattern counts as held if it or a
 * wider one is held.
 */
export function assertNoMore(caller: Caller, permissions: readonly string[]): void {
  const held = compilePermissions(caller.permissions)
  const excess = permissions.find((permission) => !held.has(permission))
  if (excess === undefined) return
  throw new ToolError(
    'forbidden',
    `You do not hold ${excess} yourself, so you can't grant it or change who has it`,
  )
}

/** A key bound to an agent acts for that agent, not for the people of its tenant. */
export function requireUnbound({ agent }: Caller): void {
  if (agent === undefined) return
  throw new ToolError('forbidden', `This key is bound to the agent ${agent}`, {
    fix: 'Use a key that is not bound to an agent.',
  })
}
