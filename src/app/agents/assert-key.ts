import type { Caller } from '../../core/call.ts'
import { ToolError } from '../../core/errors.ts'
import { defaultTenant } from '../../core/rules/tenant.ts'
import type { KeyStore } from '../../core/vault-ports.ts'

/**
 * A turn lives longer than the request that began it, so its key is looked at before every step:
 * throws forbidden where it was revoked meanwhile. One that has run out only begins nothing more.
 */
export async function assertKey(
  { tenant, principal }: Pick<Caller, 'tenant' | 'principal'>,
  keys: Pick<KeyStore, 'find'>,
): Promise<void> {
  if (principal.kind !== 'key') return
  // A key of an operator who acts in another tenant is at home in the first.
  const key =
    (await keys.find(tenant, principal.id)) ?? (await keys.find(defaultTenant, principal.id))
  if (key?.revokedAt === undefined) return
  throw new ToolError('forbidden', `The key ${principal.id} that began this was revoked`, {
    fix: 'Ask again with a key that is valid.',
  })
}
