import { createOutsideProgress } from '../../core/async/outside-progress.ts'
import { openOperations, toApi } from '../../core/operations/run-operation.ts'
import type { Stores } from '../stores.ts'
import { artifactsCapability } from '../../core/pipeline/capabilities/artifacts.ts'
import { allTenants } from '../../core/rules/all-tenants.ts'
import type { Sweep } from '../../core/work-ports.ts'
import type { Feature } from '../feature.ts'
import { createCallResources } from './call-resources.ts'
import { createCompletionDoor } from './completion-door.ts'
import { callOperations } from './operations.ts'
import { createCallWatch } from './resource-watch.ts'

/** The record of calls. The pipeline makes them. */
export const callsFeature: Feature = {
  name: 'calls',
  open({ store, ports, feed, config, groups, waitForCall, call }) {
    const { calls, artifacts, now, events } = store
    const { recorder, registry, readyTools, running, work } = ports
    const more = { recorder, registry, readyTools, running, work, waitForCall, call }
    const parts = { calls, artifacts, now, ports, ...more }
    const operations = openOperations(callOperations, parts)
    const progress = createOutsideProgress({ ...store, registry })
    return {
      operations,
      door: createCompletionDoor({ store, ports, progress }),
      capabilities: {
        artifacts: artifactsCapability(artifacts, ports.limits.maxArtifactBytes),
      },
      library: [
        createCallResources(toApi(callOperations, operations), createCallWatch(events, feed)),
      ],
      sweeps: [
        oldRecords(store, config.retention.days),
        { name: 'groups', everyMs: 1000, run: () => groups.sweep() },
        { name: 'group deadlines', everyMs: 1000, run: () => groups.expire() },
      ],
      close: () => progress.close(),
    }
  },
}

const removeAtOnce = 500
const dayMs = 86_400_000

/** Deletes calls and events that are past their retention, a few at a time so that new work never waits. */
function oldRecords(store: Stores, days: number | undefined): Sweep {
  async function run(): Promise<number> {
    if (days === undefined) return 0
    const beforeMs = store.now() - days * dayMs
    let removed = 0
    for await (const { slug } of allTenants(store)) {
      removed += await store.removeOld(slug, beforeMs, removeAtOnce)
    }
    return removed
  }
  return { name: 'old data', everyMs: 600_000, isWoken: false, run }
}
