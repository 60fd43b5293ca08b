import { toAgentChange, toPermissionChange } from '../changes.ts'
import { compileScope } from '../compiled-scope.ts'
import type { LayerVerdict, PolicyTool, Scope } from '../scope.ts'
import { hide, pass } from './verdicts.ts'

/** The principal, and every agent of the chain with a role, must hold the tool's permission. */
export function permissionLayer({ contract }: PolicyTool, scope: Scope): LayerVerdict {
  const { permission } = contract
  if (permission === undefined) return pass('permission', 'the tool needs no permission')
  const { permissions, chain } = compileScope(scope)
  if (!permissions.has(permission)) {
    return hide('permission', `the caller does not hold permission ${permission}`, {
      setBy: `the definition of ${contract.name}`,
      fix: `give the caller permission ${permission}`,
      change: toPermissionChange(permission),
    })
  }
  for (const agent of chain) {
    const { label, slug, permissions: role } = agent
    if (role === undefined || role.has(permission)) continue
    return hide('permission', `the role of ${label} does not hold permission ${permission}`, {
      setBy: agent.setBy,
      fix: `give the role of agent ${slug} permission ${permission}`,
      change: toAgentChange(agent, 'permissions'),
    })
  }
  return pass('permission', `permission ${permission} is held`)
}
