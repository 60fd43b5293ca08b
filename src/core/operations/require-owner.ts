import type { Caller } from '../kernel/call.ts'
import { ToolError } from '../kernel/errors.ts'
import { compilePermissions } from '../policy/permissions.ts'
import { defaultTenant } from '../rules/tenant.ts'

/**
 * Restricts an operation to the default tenant: its owner and admins, or one of their keys with
 * `*`.
 */
export function requireOwner(caller: Caller, message: string): void {
  const isOwner = compilePermissions(caller.permissions).has('*') && caller.agent === undefined
  if (isOwner && caller.tenant === defaultTenant) return
  throw new ToolError('forbidden', message, {
    fix: `Use a key of the tenant ${defaultTenant} with the scope *.`,
  })
}
