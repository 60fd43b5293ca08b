import type { Groups } from '../../core/async/groups.ts'
import type { PipelinePorts } from '../../core/pipeline/ports.ts'
import type { Store } from '../../core/ports.ts'
import type { Sweep } from '../../core/work-ports.ts'
import type { OpenStore } from '../../store/open-store.ts'
import type { Config } from '../config/config-schema.ts'
import { allTenants } from '../governance/all-tenants.ts'
import { forgetGone } from '../governance/catalogue-sync.ts'
import { outboxSweeps } from './outbox-sweeps.ts'
import { streamSweep } from './stream-sweep.ts'

export interface KernelSweepParts {
  config: Config
  store: OpenStore
  env: Readonly<Record<string, string | undefined>>
  ports(): PipelinePorts
  publicUrl(): string
  groups(): Groups
}

/** What every server does again and again, beside what its features do. */
export function kernelSweeps(parts: KernelSweepParts): Sweep[] {
  const { config, store, groups } = parts
  return [
    retentionSweep(config, store),
    ...outboxSweeps(parts),
    catalogueSweep(parts),
    mcpSignInSweep(store),
    streamSweep(store),
    { name: 'groups', everyMs: 1000, run: () => groups().sweep() },
    { name: 'idle counts', everyMs: removeEveryMs, isWoken: false, run: store.limits.forgetIdle },
    { name: 'group deadlines', everyMs: 1000, run: () => groups().expire() },
    // Not woken: a segment for every event would make the chain longer than the log.
    { name: 'events to seal', everyMs: 1000, isWoken: false, run: () => store.audit.sweep() },
  ]
}

const removeEveryMs = 600_000
const removeAtOnce = 500
const dayMs = 86_400_000

/** Old data goes little by little, so that it never holds up what is new. */
function retentionSweep({ retention }: Config, store: Store): Sweep {
  return {
    name: 'old data',
    everyMs: removeEveryMs,
    isWoken: false,
    async run() {
      if (retention.days === undefined) return 0
      const beforeMs = store.now() - retention.days * dayMs
      let removed = 0
      for await (const { slug } of allTenants(store)) {
        removed += await store.removeOld(slug, beforeMs, removeAtOnce)
      }
      return removed
    },
  }
}

function catalogueSweep({ config, store, ports }: KernelSweepParts): Sweep {
  const keepMs = config.catalogue.keepDays * dayMs
  return {
    name: 'tools that are gone',
    everyMs: removeEveryMs,
    isWoken: false,
    run: () => forgetGone({ store, registry: ports().registry, keepMs, now: store.now }),
  }
}

/** Sign-ins to MCP servers that never came back. */
function mcpSignInSweep({ connections }: Store): Sweep {
  const run = () => connections.sweep()
  return { name: 'MCP sign-ins', everyMs: removeEveryMs, isWoken: false, run }
}
