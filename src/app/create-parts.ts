import { expireApproval } from '../core/pipeline/approvals/decide-approval.ts'
import { createGroups, type Groups } from '../core/async/groups.ts'
import { createOutsideProgress, type OutsideProgress } from '../core/async/outside-progress.ts'
import { createEventFeed, type EventFeed } from '../core/events/event-feed.ts'
import { createRefusals } from '../core/explain/refusals.ts'
import { createCallRecorder } from '../core/pipeline/record/call-recorder.ts'
import { toCallResult } from '../core/kernel/call-result.ts'
import type { PipelinePorts } from '../core/pipeline/ports.ts'
import { createRunningCalls } from '../core/pipeline/run/running-calls.ts'
import { endStored } from '../core/pipeline/run/end-stored.ts'
import { callTool } from '../core/pipeline/call-tool.ts'
import { findEntry, runQueued } from '../core/pipeline/run-queued.ts'
import { createRoleBook, type RoleBook } from '../core/people/role-book.ts'
import type { StoredCall } from '../core/call-log.ts'
import type { Store } from '../core/ports.ts'
import { openSkills, type OpenSkills } from '../features/skills/feature.ts'
import type { LibrarySource } from '../core/library/library-api.ts'
import { ToolError } from '../core/kernel/errors.ts'
import { createWork, type Work } from '../engine/open-work.ts'
import type { Sweep } from '../core/work-ports.ts'
import { outboxSweeps } from './outbox-sweeps.ts'
import { createLimiter, type NodeLimiter } from '../core/limits/limiter.ts'
import { createRegistry, type RegisteredTool, type Registry } from '../core/registry.ts'
import { createPackTools } from '../core/sources/pack-tools.ts'
import { assertNoneRefused } from '../core/sources/tool-source.ts'
import { createToolSources, type ToolSources } from '../core/sources/tool-sources.ts'
import type { Config } from './config-schema.ts'
import { createAgentTools } from './agents/agent-tools.ts'
import { streamSweep } from './agents/stream-sweep.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { allTenants } from './governance/all-tenants.ts'
import { type Authorities, createAuthorities, isAbsentMember } from './governance/authorities.ts'
import { forgetGone } from './governance/catalogue-sync.ts'
import { createScopeSource, type ScopeSource } from './governance/scope-source.ts'
import { createTenantViews, type TenantViews } from './governance/tenant-views.ts'
import { createCapabilities } from './pipeline/create-capabilities.ts'
import { createApprovalPort, createWorkPort } from './pipeline/pipeline-ports.ts'
import { createFinders } from './offers/create-finder.ts'
import { createOffers } from './offers/create-offers.ts'
import type { Offers } from '../core/offer/tool-offer.ts'
import type { OpenStore } from '../store/open-store.ts'
import { packs } from '../tools/packs.ts'
import { createServerAddress, type ServerAddress } from './server-address.ts'
import { callGone, createWaitForCall, type WaitForCall } from './wait-for-call.ts'
import { pickEnv } from './pick-env.ts'

/** What lives as long as the crib. */
export interface Parts extends ServerAddress {
  config: Config
  env: Readonly<Record<string, string | undefined>>
  store: OpenStore
  registry: Registry
  scopes: ScopeSource
  views: TenantViews
  /** The one way for tools into the registry. */
  sources: ToolSources
  skills: OpenSkills
  /** The roles that members may have. */
  roles: RoleBook
  authorities: Authorities
  ports: PipelinePorts
  metrics: Metrics
  waitForCall: WaitForCall
  work: Work
  outsideProgress: OutsideProgress
  groups: Groups
  offers: Offers
  /** The event log, read once however many follow it. */
  feed: EventFeed
  /** Prompts and resources; sources are added while the crib opens. */
  library: LibrarySource[]
  close(): Promise<void>
}

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

interface WorkParts extends Pick<PartsOptions, 'config' | 'store' | 'env' | 'isRunner'> {
  ports(): PipelinePorts
  publicUrl(): string
  groups(): Groups
}

function openGroups({
  config,
  store,
  ports,
}: Pick<WorkParts, 'config' | 'store' | 'ports'>): Groups {
  return createGroups({
    store: store.groups,
    events: store.events,
    ports,
    // Whoever counts as dead has lost its groups, too.
    leaseMs: config.limits.nodeTimeoutMs,
    onWarning: (message) => ports().onWarning(message),
  })
}

function openWork(parts: WorkParts): Work {
  const { config, store, env, isRunner, ports, publicUrl, groups } = parts
  return createWork({
    store,
    contracts: () =>
      ports()
        .registry.list()
        .map(({ contract }) => contract),
    run: (call) => runQueued(call, ports()),
    giveUp: (call) => endStored(call, toolGone(call.tool), ports()),
    expire: (call) => expireCall(call, ports()),
    limits: config.limits,
    isRunner,
    sweeps: [
      retentionSweep(config, store),
      removalSweep(store),
      ...outboxSweeps({ config, store, env, publicUrl }),
      catalogueSweep(parts),
      mcpSignInSweep(store),
      uploadSweep(config, store),
      streamSweep(store),
      { name: 'groups', everyMs: 1000, run: () => groups().sweep() },
      { name: 'idle counts', everyMs: removeEveryMs, isWoken: false, run: store.limits.forgetIdle },
      { name: 'group deadlines', everyMs: 1000, run: () => groups().expire() },
      // Not woken: a segment for every event would make the chain longer than the log.
      { name: 'events to seal', everyMs: 1000, isWoken: false, run: () => store.audit.sweep() },
    ],
    onWarning: (message) => ports().onWarning(message),
  })
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

const removeEveryMs = 600_000
const removeAtOnce = 500
const dayMs = 86_400_000
const hourMs = 3_600_000

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

function catalogueSweep({ config, store, ports }: WorkParts): Sweep {
  const keepMs = config.catalogue.keepDays * dayMs
  return {
    name: 'tools that are gone',
    everyMs: removeEveryMs,
    isWoken: false,
    run: () => forgetGone({ store, registry: ports().registry, keepMs, now: store.now }),
  }
}

const removalStep = { limit: 500, quietMs: 5000 }

/** What is left of deleted tenants, little by little for the same reason. */
function removalSweep({ tenants }: Store): Sweep {
  return {
    name: 'deleted tenants',
    everyMs: 1000,
    isWoken: false,
    run: () => tenants.removeDeleted(removalStep),
  }
}

/** Sign-ins to MCP servers that never came back. */
function mcpSignInSweep({ connections }: Store): Sweep {
  const run = () => connections.sweep()
  return { name: 'MCP sign-ins', everyMs: removeEveryMs, isWoken: false, run }
}

/** Files that were handed in and that no call has used. */
function uploadSweep({ uploads }: Config, store: Store): Sweep {
  const keepMs = uploads.keepHours * hourMs
  const run = () => store.uploads.sweep({ keepMs, limit: removeAtOnce })
  return { name: 'unused uploads', everyMs: removeEveryMs, isWoken: false, run }
}

function toolGone(tool: string): ToolError {
  return new ToolError('tool_not_found', `${tool} was there when the call was queued, and no more`)
}

/** A call that waited too long for the outside. */
async function expireCall(call: StoredCall, ports: PipelinePorts): Promise<void> {
  if (call.waitingFor === 'approval') return expireApproval(call, ports)
  const reason = describeDelay(call, await findEntry(call, ports))
  await endStored(call, new ToolError('timeout', reason), ports)
}

function describeDelay({ waitingFor }: StoredCall, entry: RegisteredTool | undefined): string {
  if (waitingFor !== 'external') return 'The call waited too long'
  if (entry?.contract.source === 'agent') return 'The agent did not answer in time'
  return 'Nobody outside completed the call in time'
}
