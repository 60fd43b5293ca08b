import type { Caller } from '../../core/call.ts'
import { ToolError } from '../../core/errors.ts'
import { defaultTenant } from '../../core/rules/tenant.ts'
import type { ApiKey, KeyStore } from '../../core/vault-ports.ts'

/**
 * A turn lives longer than the request that began it, so its key is looked at before every step and
 * while it goes on: throws forbidden where it was revoked or has expired meanwhile.
 */
export async function assertKey(
  { tenant, principal }: Pick<Caller, 'tenant' | 'principal'>,
  keys: Pick<KeyStore, 'find'>,
): Promise<void> {
  if (principal.kind !== 'key') return
  // A key of an operator who acts in another tenant is at home in the first.
  const key =
    (await keys.find(tenant, principal.id)) ?? (await keys.find(defaultTenant, principal.id))
  const end = key && endOf(key)
  if (end === undefined) return
  throw new ToolError('forbidden', `The key ${principal.id} that began this ${end}`, {
    fix: 'Ask again with a key that is valid.',
  })
}

function endOf({ revokedAt, expiresAt }: ApiKey): string | undefined {
  if (revokedAt !== undefined) return 'was revoked'
  const isExpired = expiresAt !== undefined && Date.parse(expiresAt) <= Date.now()
  return isExpired ? 'has expired' : undefined
}
