import type { Caller } from '../../core/kernel/call.ts'
import type { CribApi } from '../../features/crib-api.ts'
import type { HealthReport } from '../../core/crib-api.ts'
import type { ApiKey } from '../../core/vault-ports.ts'
import type { Store } from '../../core/ports.ts'
import type { Runtime } from '../../core/kernel/tool.ts'
import type { Gateway } from '../../core/gateway/gateway.ts'
import type { Loader } from '../loader/create-loader.ts'
import type { Authorities } from '../governance/authorities.ts'
import { personOf } from '../../core/keys/person-of.ts'
import { isOpen } from '../governance/tenant-gate.ts'
import type { TenantViews } from '../governance/tenant-views.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { TokenAccess } from '../oauth/create-token-access.ts'
import { version } from '../version.ts'

type StatusAccess = Pick<
  CribApi,
  'authenticate' | 'tokenTerms' | 'loadReports' | 'health' | 'metrics' | 'watchAccess'
>

interface StatusAccessOptions {
  store: Store
  loader: Loader
  metrics: Metrics
  views: TenantViews
  authorities: Pick<Authorities, 'ofKey'>
  tokens: TokenAccess
  gateway: Pick<Gateway, 'counts'>
  isDraining(): boolean
}

/** Who is calling, and how the crib is doing. */
export function createStatusAccess({
  store,
  loader,
  metrics,
  views,
  authorities,
  tokens,
  gateway,
  isDraining,
}: StatusAccessOptions): StatusAccess {
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
    loadReports: loader.reports,
    metrics: metrics.render,
    // A caller that acts in another tenant is known in its own.
    watchAccess: ({ tenant, home }, listener) =>
      views.subscribe((changed) => {
        if (changed === tenant || changed === home) listener()
      }),
    async health() {
      const database = await check(() => store.ping())
      const broken = loader.reports().filter((report) => report.error !== undefined)
      const { servers, connected, down, quarantined } = gateway.counts()
      const status = isDraining() ? 'draining' : database.ok ? 'ok' : 'failing'
      return {
        status,
        version,
        store: store.kind,
        checks: {
          database,
          // A broken file takes its own tools away and nothing else: worth knowing, no reason to restart.
          tools: {
            ok: true,
            ...(broken.length > 0 && { message: `${broken.length} files have errors` }),
          },
          // Nor is a server of somebody else's that can't be reached.
          ...(servers > 0 && {
            mcpServers: {
              ok: true,
              message: `${connected} of ${servers} connected, ${down} down, ${quarantined} tools quarantined`,
            },
          }),
        },
      }
    },
  }
}

/** A key that is bound to an agent is good for as long as there is one. */
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

async function check(look: () => Promise<void>): Promise<HealthReport['checks'][string]> {
  try {
    await look()
    return { ok: true }
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) }
  }
}
