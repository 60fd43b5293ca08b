import type { Caller } from '../../core/call.ts'
import { ToolError } from '../../core/errors.ts'
import { compilePermissions } from '../../core/policy/permissions.ts'
import type { Store } from '../../core/ports.ts'
import type { Keyring, KeyringApi } from '../../core/secrets/keyring.ts'
import { defaultTenant } from '../governance/scope-source.ts'
import { requirePermission } from './permissions.ts'

/** The master keys: one ring for all tenants, so only who owns the installation turns it. */
export function createKeyringAccess({ store }: { store: Store }): KeyringApi {
  function open(caller: Caller): Keyring {
    requirePermission(caller, 'secrets.write')
    assertOwner(caller)
    if (store.keyring !== undefined) return store.keyring
    throw new ToolError('not_found', 'This store seals nothing and has no key ring')
  }
  return {
    findKeyring: async (caller) => open(caller).status(),
    rotateKeyring: async (caller, request) =>
      open(caller).rotate({ ...request, tenant: caller.tenant, by: caller.principal }),
    dropMasterKey: async (caller, id) =>
      open(caller).drop(id, { tenant: caller.tenant, by: caller.principal }),
  }
}

/** Holds everything in the tenant that is always there: its owner and admins, or a key of theirs with `*`. */
function assertOwner(caller: Caller): void {
  const isOwner = compilePermissions(caller.permissions).has('*') && caller.agent === undefined
  if (isOwner && caller.tenant === defaultTenant) return
  throw new ToolError('forbidden', 'Only the owner of this installation may see or turn its keys', {
    fix: `Use a key of the tenant ${defaultTenant} with the scope *.`,
  })
}
