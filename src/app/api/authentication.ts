import type { Caller } from '../../core/kernel/call.ts'
import type { CoreApi } from '../../core/crib-api.ts'
import type { ApiKey } from '../../core/vault-ports.ts'
import type { Stores } from '../../features/stores.ts'
import type { Runtime } from '../../core/kernel/tool.ts'
import type { Authorities } from '../governance/authorities.ts'
import { personOf } from '../../core/keys/person-of.ts'
import { actIn, isOpen } from '../governance/tenant-gate.ts'
import type { TenantViews } from '../governance/tenant-views.ts'
import type { TokenAccess } from '../oauth/create-token-access.ts'

interface AuthenticationOptions {
  store: Pick<Stores, 'keys'>
  views: TenantViews
  authorities: Pick<Authorities, 'ofKey'>
  tokens: TokenAccess
}

/** Identifies the caller. */
export function createAuthentication({
  store,
  views,
  authorities,
  tokens,
}: AuthenticationOptions): Pick<CoreApi, 'authenticate' | 'tokenTerms' | 'actIn' | 'watchAccess'> {
  const callers = new WeakMap<ApiKey, Map<Runtime, Caller>>()
  return {
    async authenticate(token, runtime) {
      // Only our own keys start like this.
      if (!token.startsWith('crib_')) return tokens.authenticateToken(token, runtime)
      const key = await store.keys.verify(token)
      if (key === undefined) return undefined
      const known = callers.get(key) ?? new Map<Runtime, Caller>()
      const before = known.get(runtime)
      // After every change of a tenant its keys are loaded again, as new objects.
      if (before !== undefined) return before
      if (!(await isOpen(views, key.tenant)) || !(await hasItsAgent(key, views))) return undefined
      const authority = await authorities.ofKey(key)
      if (authority.isOver !== undefined) return undefined
      callers.set(key, known)
      const caller = callerOf(key, authority.permissions, runtime)
      known.set(runtime, caller)
      return caller
    },
    tokenTerms: tokens.tokenTerms,
    actIn: (caller, tenant) => actIn(caller, tenant, views),
    // A caller that acts in another tenant is looked up in its own.
    watchAccess: ({ tenant, home }, listener) =>
      views.subscribe((changed) => {
        if (changed === tenant || changed === home) listener()
      }),
  }
}

/** A key that is bound to an agent is valid only while the agent exists. */
async function hasItsAgent({ tenant, agent }: ApiKey, views: TenantViews): Promise<boolean> {
  if (agent === undefined) return true
  const view = await views.find(tenant)
  return (await view?.agent(agent)) !== undefined
}

function callerOf(key: ApiKey, permissions: readonly string[], runtime: Runtime): Caller {
  return {
    tenant: key.tenant,
    principal: { kind: 'key', id: key.id },
    permissions,
    runtime,
    person: personOf(key),
    ...(key.agent !== undefined && { agent: key.agent }),
    ...(key.toolMode !== undefined && { toolMode: key.toolMode }),
  }
}
