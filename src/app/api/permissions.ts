import type { Caller } from '../../core/call.ts'
import { ToolError } from '../../core/errors.ts'
import { compilePermissions } from '../../core/policy/permissions.ts'
import type { PermissionName } from '../../core/policy/roles.ts'

export function holds(caller: Caller, permission: PermissionName): boolean {
  return compilePermissions(caller.permissions).has(permission)
}

/** Throws forbidden when the caller holds none of them. */
export function requireOneOf(caller: Caller, permissions: readonly PermissionName[]): void {
  if (permissions.some((permission) => holds(caller, permission))) return
  throw new ToolError('forbidden', `This needs the permission ${permissions.join(' or ')}`, {
    fix: `Use a key with the scope ${permissions.join(' or ')}.`,
  })
}

/** Throws forbidden when the caller does not hold it. */
export function requirePermission(caller: Caller, permission: PermissionName): void {
  requireOneOf(caller, [permission])
}

/**
 * For what operators do. A caller that is bound to an agent is none, whatever it holds: it could hand
 * its agent what that lacks.
 */
export function requireManager(caller: Caller, permissions: readonly PermissionName[]): void {
  requireOneOf(caller, permissions)
  if (caller.agent === undefined) return
  throw new ToolError('forbidden', `This key is bound to the agent ${caller.agent}`, {
    fix: 'Use a key that is not bound to an agent.',
  })
}
