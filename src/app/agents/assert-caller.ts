import type { Caller } from '../../core/call.ts'
import { ToolError } from '../../core/errors.ts'
import type { Store } from '../../core/ports.ts'
import { defaultTenant } from '../../core/rules/tenant.ts'
import type { ApiKey } from '../../core/vault-ports.ts'

type Known = Pick<Store, 'keys' | 'members'>
type Asked = Pick<Caller, 'tenant' | 'principal' | 'home'>

/**
 * A turn lives longer than the request that began it, so whoever began it is looked at before every step
 * and while it goes on: throws forbidden where the key was revoked or has expired meanwhile, and where
 * the member was suspended or removed.
 */
export async function assertCaller(caller: Asked, known: Known): Promise<void> {
  const { kind } = caller.principal
  if (kind === 'key') return assertKey(caller, known)
  if (kind === 'user') return assertMember(caller, known)
}

async function assertKey({ tenant, principal }: Asked, { keys }: Known): Promise<void> {
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

async function assertMember({ tenant, principal, home }: Asked, { members }: Known): Promise<void> {
  const member = await members.find(home ?? tenant, principal.id)
  // Whoever embeds a crib has users of its own, of whom nothing is known here.
  const isRemoved = member === undefined && principal.id.startsWith('mem_')
  if (!isRemoved && member?.status !== 'suspended') return
  const end = isRemoved ? 'removed' : 'suspended'
  throw new ToolError('forbidden', `The member ${principal.id} who began this was ${end}`, {
    fix: 'Let somebody ask who is a member.',
  })
}
