/**
 * The permissions that doors check. A key's scopes and a role are patterns over these and over
 * tools' own permissions.
 */
export const permissionNames = [
  'tools.call',
  'audit.read',
  'calls.manage',
  'policy.read',
  'policy.write',
  'agents.manage',
  'skills.manage',
  'limits.manage',
  'usage.read',
  'secrets.write',
  'keys.manage',
  'members.manage',
  'tenants.manage',
  'schedules.manage',
  'approvals.decide',
  'agents.chat',
  'mcp.manage',
  'apis.manage',
  'tools.approve',
  'tools.author',
  'workspaces.read',
  'workspaces.write',
] as const

export type PermissionName = (typeof permissionNames)[number]

/** Roles of members, the strongest first. */
export const roleNames = ['owner', 'admin', 'operator', 'member', 'viewer', 'auditor'] as const

export type RoleName = (typeof roleNames)[number]

/**
 * The permissions of each role. Owners and admins also hold the tools' own permissions; others are
 * given those one by one. An admin can do everything an owner can, except make or unmake owners.
 */
export const rolePermissions: Readonly<Record<RoleName, readonly string[]>> = Object.freeze({
  owner: ['*'],
  admin: ['*'],
  operator: [
    'tools.call',
    'audit.read',
    'calls.manage',
    'policy.read',
    'policy.write',
    'agents.manage',
    'skills.manage',
    'limits.manage',
    'usage.read',
    'secrets.write',
    'schedules.manage',
    'approvals.decide',
    'agents.chat',
    'mcp.manage',
    'apis.manage',
    'tools.approve',
    'tools.author',
    'workspaces.read',
    'workspaces.write',
  ],
  // Without schedules.manage: it covers everyone's schedules, including their inputs.
  member: ['tools.call', 'agents.chat'],
  viewer: ['policy.read', 'usage.read'],
  auditor: ['audit.read', 'policy.read', 'usage.read'],
})

/** The roles that hold this permission, the strongest first. */
export function rolesHolding(permission: PermissionName): RoleName[] {
  return roleNames.filter((role) => {
    const held = rolePermissions[role]
    return held.includes('*') || held.includes(permission)
  })
}
