import { isSamePrincipal } from '../../core/caller.ts'
import type { Caller } from '../../core/call.ts'
import { ToolError } from '../../core/errors.ts'
import { parseApiKey } from '../../core/keys/api-key-token.ts'
import { type KeysApi, maxOverlapMs, type TokenReport } from '../../core/keys/keys-api.ts'
import { checkScopes } from '../../core/policy/check-scopes.ts'
import type { Store } from '../../core/ports.ts'
import type { Registry } from '../../core/registry.ts'
import type { ApiKey } from '../../core/vault-ports.ts'
import { personOf } from '../governance/authorities.ts'
import type { TenantViews } from '../governance/tenant-views.ts'
import { isWithin } from '../../core/operations/agent-reach.ts'
import { findAgentFor } from './find-agent-for.ts'
import { assertNoMore, requirePermission } from '../../core/operations/require-permission.ts'
import { issueToken } from './visitor-access.ts'

interface KeyAccessOptions {
  store: Store
  registry: Registry
  views: TenantViews
}

/** Keys: who may come in from outside, and with what. */
export function createKeyAccess(options: KeyAccessOptions): KeysApi {
  const { registry, views } = options
  const { keys, now } = options.store
  return {
    async listKeys(caller, query) {
      requirePermission(caller, 'keys.manage')
      return keys.list(caller.tenant, { ...query, agent: caller.agent })
    },
    async createKey(caller, { name, scopes, agent: asked, toolMode, expiresAt }) {
      requirePermission(caller, 'keys.manage')
      const agent = await findAgentFor(caller, asked, views)
      const warnings = checkScopes(scopes, permissionsOfTools(registry, caller.tenant))
      assertNoMore(caller, scopes)
      assertAhead(expiresAt, now())
      await assertNoLonger(caller, expiresAt?.toISOString(), keys)
      const { tenant, principal: by, home } = caller
      const issued = await keys.create({
        tenant,
        name,
        scopes,
        agent,
        toolMode,
        expiresAt,
        by,
        home,
      })
      return warnings.length === 0 ? issued : { ...issued, warnings }
    },
    issueToken: (caller, request) => issueToken(options, caller, request),
    async rotateKey(caller, id, { overlapMs = 0 }) {
      requirePermission(caller, 'keys.manage')
      assertOverlap(overlapMs)
      const key = await findReachable(caller, id, keys)
      if (key.parent !== undefined) throw noLiveKey(id)
      // Whoever rotates a key holds its new token: nobody gets more that way than by making one.
      assertNoMore(caller, key.scopes)
      await assertNoLonger(caller, key.expiresAt, keys)
      const { tenant, principal: by, home } = caller
      const rotated = await keys.rotate(tenant, id, { overlapMs, by, home })
      if (rotated === undefined) throw noLiveKey(id)
      await views.refresh()
      return rotated
    },
    async revokeKey(caller, id) {
      requirePermission(caller, 'keys.manage')
      await assertMayRevoke(caller, id, keys)
      if (!(await keys.revoke(caller.tenant, id, caller.principal))) throw noLiveKey(id)
      await views.refresh()
    },
    async checkTokens(caller, tokens) {
      requirePermission(caller, 'keys.manage')
      return Promise.all(tokens.map((token) => checkToken(caller, token, keys)))
    },
    // Whoever acts in another tenant is known in its own.
    watchAccess: ({ tenant, home }, listener) =>
      views.subscribe((changed) => {
        if (changed === tenant || changed === home) listener()
      }),
  }
}

async function findReachable(caller: Caller, id: string, keys: Store['keys']): Promise<ApiKey> {
  const key = await keys.find(caller.tenant, id)
  if (key === undefined || !isWithin(caller, key.agent)) throw noLiveKey(id)
  return key
}

/** Nobody takes away what they could not give; one's own key one may always end. */
async function assertMayRevoke(caller: Caller, id: string, keys: Store['keys']): Promise<void> {
  const key = await findReachable(caller, id, keys)
  if (!isOwn(caller, key)) assertNoMore(caller, key.scopes)
}

/** The key itself, or one of the person who asks. */
function isOwn({ principal, person = principal }: Caller, key: ApiKey): boolean {
  return principal.id === key.id || isSamePrincipal(person, personOf(key))
}

async function checkToken(
  caller: Caller,
  token: string,
  keys: Store['keys'],
): Promise<TokenReport> {
  const parts = parseApiKey(token)
  // A text that only looks like a key must not keep the live one beside it from being named.
  if (parts === undefined) return { id: `${token.slice(0, 15)}…`, state: 'not_a_key' }
  const found = await keys.inspect(token)
  const isOurs = found?.key.tenant === caller.tenant && isWithin(caller, found.key.agent)
  if (found === undefined || !isOurs) return { id: parts.id, state: 'unknown' }
  return { id: parts.id, state: found.state, name: found.key.name }
}

/** Permissions that tools ask for, of those this tenant may have. */
function permissionsOfTools(registry: Registry, tenant: string): string[] {
  return registry.list().flatMap(({ contract: { permission, tenants } }) => {
    const isTheirs = tenants.length === 0 || tenants.includes(tenant)
    return permission !== undefined && isTheirs ? [permission] : []
  })
}

/** What a key has, it has for as long as it lives: one that expires makes none that outlives it. */
async function assertNoLonger(
  { principal, tenant, home = tenant }: Caller,
  expiresAt: string | undefined,
  keys: Store['keys'],
): Promise<void> {
  if (principal.kind !== 'key') return
  const most = (await keys.find(home, principal.id))?.expiresAt
  if (most === undefined) return
  if (expiresAt !== undefined && Date.parse(expiresAt) <= Date.parse(most)) return
  throw new ToolError('forbidden', 'This key expires, and would leave one that outlives it', {
    fix: `Give an expiry up to ${most}, or use a key that does not expire.`,
  })
}

function assertAhead(expiresAt: Date | undefined, now: number): void {
  if (expiresAt === undefined || expiresAt.getTime() > now) return
  throw new ToolError('invalid_request', 'A key can not expire in the past', {
    fix: 'Give a time that is still to come, or none.',
  })
}

function assertOverlap(overlapMs: number): void {
  if (overlapMs >= 0 && overlapMs <= maxOverlapMs) return
  throw new ToolError('invalid_request', 'An old secret may go on for 7 days at most', {
    fix: 'Give overlapSeconds from 0 to 604800.',
  })
}

function noLiveKey(id: string): ToolError {
  return new ToolError('not_found', `There is no live key ${JSON.stringify(id.slice(0, 100))}`, {
    fix: 'toolcrib keys lists them.',
  })
}
