import type { Caller } from '../../core/call.ts'
import { ToolError } from '../../core/errors.ts'
import type { Store } from '../../core/ports.ts'
import type { Keyring, KeyringApi } from '../../core/secrets/keyring.ts'
import { requirePermission } from './permissions.ts'
import { requireOwner } from './require-owner.ts'

/** The master keys: one ring for all tenants, so only who owns the installation turns it. */
export function createKeyringAccess({ store }: { store: Store }): KeyringApi {
  function open(caller: Caller): Keyring {
    requirePermission(caller, 'secrets.write')
    requireOwner(caller, 'Only the owner of this installation may see or rotate its master keys')
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
