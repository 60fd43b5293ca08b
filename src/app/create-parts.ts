import { createOutsideProgress } from '../core/async/outside-progress.ts'
import { createEventFeed } from '../core/events/event-feed.ts'
import { createRefusals } from '../core/explain/refusals.ts'
import { createCallRecorder } from '../core/pipeline/record/call-recorder.ts'
import { toCallResult } from '../core/kernel/call-result.ts'
import type { PipelinePorts } from '../core/pipeline/ports.ts'
import { createRunningCalls } from '../core/pipeline/run/running-calls.ts'
import { callTool } from '../core/pipeline/call-tool.ts'
import { createRoleBook } from '../core/people/role-book.ts'
import { openSkills } from '../features/skills/feature.ts'
import { createLimiter, type NodeLimiter } from '../core/limits/limiter.ts'
import { createRegistry, type Registry } from '../core/registry.ts'
import { createPackTools } from '../core/sources/pack-tools.ts'
import { assertNoneRefused } from '../core/sources/tool-source.ts'
import { createToolSources } from '../core/sources/tool-sources.ts'
import type { Config } from './config/config-schema.ts'
import { createAgentTools } from './agents/agent-tools.ts'
import { createMetrics } from './metrics/metrics.ts'
import { createAuthorities, isAbsentMember } from './governance/authorities.ts'
import { createScopeSource } from './governance/scope-source.ts'
import { createTenantViews } from './governance/tenant-views.ts'
import { createCapabilities } from './pipeline/create-capabilities.ts'
import { createApprovalPort, createWorkPort } from './pipeline/pipeline-ports.ts'
import { createFinders } from './offers/create-finder.ts'
import { createOffers } from './offers/create-offers.ts'
import type { OpenStore } from '../store/open-store.ts'
import { packs } from '../tools/packs.ts'
import { createServerAddress } from './server/server-address.ts'
import { callGone, createWaitForCall } from './pipeline/wait-for-call.ts'
import { pickEnv } from './config/pick-env.ts'
import type { Parts } from './parts.ts'
import { openGroups, openWork } from './pipeline/open-work.ts'

interface PartsOptions {
  config: Config
  store: OpenStore
  env: Readonly<Record<string, string | undefined>>
  /** Takes work from the queue. Without, queued calls are left to the servers on the same database. */
  isRunner: boolean
  knownSecrets: PipelinePorts['knownSecrets']
  onWarning(message: string): void
}

/** Makes the parts and wires them to each other; nothing runs yet. */
export async function createParts(options: PartsOptions): Promise<Parts> {
  const { config, store, env, isRunner, onWarning } = options
  const registry = createRegistry()
  const recorder = createCallRecorder(store, onWarning)
  const running = createRunningCalls()
  const waitForCall = createWaitForCall(store)
  const metrics = createMetrics({
    running: running.count,
    unwritten: recorder.unwritten,
    tools: () => registry.list().length,
  })
  const { scopeFor, ...rules } = await openRules(options, registry)
  const { views, authorities } = rules
  const address = createServerAddress(config.server)
  const { publicUrl } = address
  const late = { ports: () => ports, publicUrl, groups: () => groups }
  const work = openWork({ config, store, env, isRunner, ...late })
  const groups = openGroups({ config, store, ports: late.ports })
  const { recordRefusal: onRefused } = metrics
  const counting = { now: store.now, store: store.limits, totals: store.usage }
  const limiter = createLimiter({ ...counting, onRefused, onWarning })
  const stopTicking = keepTicking(limiter, onWarning)
  const offers = createOffers({ config, registry, scopeFor, found: store.foundTools })
  const ofStore = portsOfStore(options)
  const finderFor = createFinders(offers, store.foundTools)
  const conversationFor = () => ports.conversationFor
  const capabilities = createCapabilities({ ...ofStore, finderFor, conversationFor })
  const ports: PipelinePorts = {
    ...ofStore,
    registry,
    work: createWorkPort(work, isRunner, publicUrl),
    scopeFor,
    callerNow: (caller) => authorities.now(caller, ['tools.call']),
    peopleBehind: authorities.peopleBehind,
    readyTools: rules.sources.readyFor,
    recorder,
    running,
    callTool: (request) => callTool(request, ports),
    async waitForCall(tenant, callId, signal) {
      const call = await waitForCall(tenant, callId, { signal })
      return call === undefined ? callGone(callId) : toCallResult(call)
    },
    limiter,
    capabilities,
    onSettled: metrics.recordCall,
  }
  const outsideProgress = createOutsideProgress({ ...store, registry })
  async function close(): Promise<void> {
    views.close()
    await stopTicking()
    await groups.close()
    await outsideProgress.close()
    await recorder.close()
  }
  const feed = createEventFeed(store.events)
  const shared = { config, env, store, registry, ...rules, ports, metrics, feed, ...address }
  return { ...shared, waitForCall, work, outsideProgress, groups, offers, library: [], close }
}

/** What the pipeline needs of the store and the configuration alone. */
function portsOfStore({ config, store, env, knownSecrets, onWarning }: PartsOptions) {
  return {
    now: store.now,
    calls: store.calls,
    flags: store.sessionFlags,
    refusals: createRefusals(store, onWarning),
    artifacts: store.artifacts,
    uploads: store.uploads,
    secrets: store.secrets,
    knownSecrets,
    readEnv: (names: readonly string[]) => pickEnv(env, names),
    approvals: createApprovalPort(config, store),
    limits: {
      maxCallDepth: config.limits.callDepth,
      maxArtifactBytes: config.limits.artifactBytes,
    },
    skillsFor: openSkills(store, store.engine).readerFor,
    onWarning,
  }
}

/** What is decided, held in memory and forgotten when it changes. */
async function openRules({ config, store, env, onWarning }: PartsOptions, registry: Registry) {
  const views = await createTenantViews(store, onWarning)
  views.subscribe((tenant) => store.keys.forget(tenant))
  const skills = openSkills(store, store.engine)
  const skillLevels = skills.levels
  const sources = createToolSources(registry, views)
  assertNoneRefused(await sources.attach(createPackTools(packs)))
  await sources.attach(createAgentTools({ store }))
  const scopes = createScopeSource({ config, registry, views, env, skillLevels, sources })
  const roles = createRoleBook(config.roles)
  const authorities = createAuthorities({ store, roles })
  const scopeFor: PipelinePorts['scopeFor'] = (caller) =>
    isAbsentMember(caller)
      ? authorities.now(caller, ['tools.call']).then((now) => scopes.scopeFor(now))
      : scopes.scopeFor(caller)
  return { views, sources, skills, scopes, roles, authorities, scopeFor }
}

const tickEveryMs = 1000

/** What a node holds of limits and does not use goes to the others within about a second. */
function keepTicking(limiter: NodeLimiter, onWarning: (message: string) => void) {
  const timer = setInterval(() => {
    limiter.tick().catch((error: unknown) => {
      onWarning(`What is unused of limits could not be given back: ${String(error)}`)
    })
  }, tickEveryMs).unref()
  return async () => {
    clearInterval(timer)
    await limiter.close().catch(() => undefined)
  }
}
