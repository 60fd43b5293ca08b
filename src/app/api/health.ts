import type { CoreApi, HealthReport } from '../../core/crib-api.ts'
import type { Gateway } from '../../core/gateway/gateway.ts'
import type { Host } from '../../core/host/host.ts'
import type { SandboxState } from '../../core/host/sandbox.ts'
import type { Store } from '../../core/ports.ts'
import type { Loader } from '../loader/create-loader.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { version } from '../version.ts'

interface HealthOptions {
  store: Store
  loader: Loader
  metrics: Metrics
  gateway: Pick<Gateway, 'counts'>
  host: { readonly sandbox: Pick<Host['sandbox'], 'known'> }
  isDraining(): boolean
}

/** How the crib is doing. */
export function createHealth({
  store,
  loader,
  metrics,
  gateway,
  host,
  isDraining,
}: HealthOptions): Pick<CoreApi, 'health' | 'loadReports' | 'metrics'> {
  return {
    loadReports: loader.reports,
    metrics: metrics.render,
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
          // Neither is a sandbox that does not hold: its tools are off, and all others work.
          ...toSandboxCheck(host.sandbox.known()),
        },
      }
    },
  }
}

/** Nothing before it was first checked: asking for the health starts no programs. */
function toSandboxCheck(state: SandboxState | undefined): HealthReport['checks'] {
  if (state === undefined) return {}
  const { driver, reason, limits } = state
  const facts = state.state === 'unavailable' ? (reason ?? '') : `limits: ${limits}`
  return { sandbox: { ok: true, message: `${driver}: ${state.state}; ${facts}` } }
}

async function check(look: () => Promise<void>): Promise<HealthReport['checks'][string]> {
  try {
    await look()
    return { ok: true }
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) }
  }
}
