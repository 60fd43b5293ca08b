import { cacheByIdentity } from '../../core/kernel/identity-cache.ts'
import { openOperations } from '../../core/operations/run-operation.ts'
import type { RegisteredTool } from '../../core/registry.ts'
import type { Feature } from '../feature.ts'
import { authoringCapability } from './by-tool/authoring-capability.ts'
import { createScheduleStore } from '../schedules/store/schedule-store.ts'
import { createVersionStore } from '../versions/store/version-store.ts'
import { specKinds } from './kinds/kinds.ts'
import { toolFromOperations } from './from-operations.ts'
import { authoringOperations } from './operations.ts'
import { createAuthoredTools } from './source/authored-tools.ts'
import { toolVersionOperations } from './version-operations.ts'

/** Tools that are documents, with drafts and versions, and changes to tools of others. */
export const authoringFeature: Feature = {
  name: 'authoring',
  open({ store, engine, ports, rules, config, agents, scopeFor, onWarning }) {
    const { registry } = ports
    const versions = createVersionStore(engine)
    const hostsOfPacks = Object.keys(config.network.packs)
    const reserved = () => reservedPacks(registry.list(), hostsOfPacks)
    const source = createAuthoredTools({
      versions,
      registry,
      kinds: specKinds,
      reserved,
      onWarning,
    })
    const settings = config.authoring
    const { conversations } = agents
    const records = { calls: store.calls, recorder: ports.recorder, registry, conversations }
    const schedules = createScheduleStore(engine)
    const stored = { store, versions, schedules, registry, rules, source, records }
    const given = { ...stored, ports, reserved, scopeFor, settings }
    const operations = {
      ...authoringOperations,
      ...toolVersionOperations,
      ...toolFromOperations,
    }
    return {
      operations: openOperations(operations, { ...given, kinds: specKinds }),
      capabilities: { authoring: authoringCapability({ ...given, kinds: specKinds }) },
      sources: settings.enabled ? [source] : [],
      close: async () => source.close(),
    }
  },
}

/** Packs of built-in tools, and those for which the configuration opens hosts. */
function reservedPacks(tools: readonly RegisteredTool[], more: readonly string[]): Set<string> {
  return new Set([...builtInPacks(tools), ...more])
}

const builtInPacks = cacheByIdentity(
  (tools: readonly RegisteredTool[]) =>
    new Set(tools.filter(isBuiltIn).map(({ pack }) => pack)) as ReadonlySet<string>,
)

function isBuiltIn({ contract }: RegisteredTool): boolean {
  return contract.source === 'builtin'
}
