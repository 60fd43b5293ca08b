import type { TenantRules } from '../../core/rules/tenant-rules.ts'
import type { Caller } from '../../core/kernel/call.ts'
import { isSamePrincipal } from '../../core/kernel/caller.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { personOf } from '../../core/keys/person-of.ts'
import { isWithin } from '../../core/operations/agent-reach.ts'
import { assertNoMore } from '../../core/operations/require-permission.ts'
import type { ApiKey, KeyStore } from '../../core/vault-ports.ts'

/** The dependencies of the operations on keys. */
export interface KeyParts {
  keys: KeyStore
  now(): number
  rules: Pick<TenantRules, 'hasAgent' | 'refresh'>
  /** Permissions that tools of this tenant require. */
  permissionsOfTools(tenant: string): string[]
}

/** Foreign, hidden and missing keys get the same answer. */
export async function findReachable(caller: Caller, id: string, keys: KeyStore): Promise<ApiKey> {
  const key = await keys.find(caller.tenant, id)
  if (key === undefined || !isWithin(caller, key.agent)) throw keyNotFound(id)
  return key
}

/** Callers revoke no more than they could grant, except their own keys. */
export async function assertMayRevoke(caller: Caller, id: string, keys: KeyStore): Promise<void> {
  const key = await findReachable(caller, id, keys)
  const { principal, person = principal } = caller
  const isOwn = principal.id === key.id || isSamePrincipal(person, personOf(key))
  if (!isOwn) assertNoMore(caller, key.scopes)
}

/** Only a site's own key can issue tokens for visitors; a token cannot. */
export async function findIssuer(caller: Caller, keys: KeyStore): Promise<ApiKey> {
  const { tenant, principal, home = tenant } = caller
  const isKey = principal.kind === 'key' && home === tenant
  const key = isKey ? await keys.find(tenant, principal.id) : undefined
  if (key !== undefined && key.parent === undefined) return key
  throw new ToolError('forbidden', 'Only an API key of this tenant can issue tokens', {
    fix: 'Send the request from your server, with a key from `toolcrib keys create`, and pass the token to the page.',
  })
}

/** A key that expires cannot create one that outlives it. */
export async function assertNoLonger(
  { principal, tenant, home = tenant }: Caller,
  expiresAt: string | undefined,
  keys: KeyStore,
): Promise<void> {
  if (principal.kind !== 'key') return
  const most = (await keys.find(home, principal.id))?.expiresAt
  if (most === undefined) return
  if (expiresAt !== undefined && Date.parse(expiresAt) <= Date.parse(most)) return
  throw new ToolError('forbidden', 'This key expires, and the new one would outlive it', {
    fix: `Set an expiry up to ${most}, or use a key that does not expire.`,
  })
}

export function assertAhead(expiresAt: Date | undefined, now: number): void {
  if (expiresAt === undefined || expiresAt.getTime() > now) return
  throw new ToolError('invalid_request', 'A key cannot expire in the past', {
    fix: 'Set a time in the future, or none.',
  })
}

export function keyNotFound(id: string): ToolError {
  return new ToolError('not_found', `There is no live key ${JSON.stringify(id.slice(0, 100))}`, {
    fix: 'toolcrib keys lists them.',
  })
}
