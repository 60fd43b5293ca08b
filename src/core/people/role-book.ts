import { ToolError } from '../kernel/errors.ts'
import { describeKnown } from '../patterns/nearest-name.ts'
import { rolePermissions } from '../policy/roles.ts'
import type { Member } from './member.ts'

/** The available roles, and the permissions of each. */
export interface RoleBook {
  /** The built-in ones first, the strongest first. */
  readonly names: readonly string[]
  /**
   * A member's permissions: those of the role and their own. A role that no longer exists grants
   * nothing. Members without extra permissions share one list per role.
   */
  permissionsOf(member: Pick<Member, 'role' | 'permissions'>): readonly string[]
  /** Throws invalid_request for an unknown role. */
  assertRole(role: string): void
}

/** A configured role. */
export interface CustomRole {
  permissions: readonly string[]
}

const nothing: readonly string[] = Object.freeze([])

/** Built-in and configured roles. A configured role can't replace a built-in one. */
export function createRoleBook(custom: Readonly<Record<string, CustomRole>>): RoleBook {
  const roles = new Map<string, readonly string[]>([
    ...Object.entries(custom).map(([name, { permissions }]) => [name, permissions] as const),
    ...Object.entries(rolePermissions),
  ])
  const names = [...new Set([...Object.keys(rolePermissions), ...Object.keys(custom)])]
  return {
    names,
    permissionsOf({ role, permissions }) {
      const held = roles.get(role) ?? nothing
      return permissions.length === 0 ? held : [...new Set([...held, ...permissions])]
    },
    assertRole(role) {
      if (roles.has(role)) return
      const known = describeKnown(role, names)
      const message = `There is no role ${JSON.stringify(role.slice(0, 100))}; ${known}`
      throw new ToolError('invalid_request', message, {
        fix: 'Choose one of these, or declare it under roles in the configuration.',
      })
    },
  }
}
