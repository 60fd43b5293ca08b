import { createGroups } from '../../core/async/groups.ts'
import { createCapabilityBook } from '../../core/pipeline/capabilities/capability.ts'
import { createWork } from '../../engine/open-work.ts'
import { openSkills } from '../../features/skills/feature.ts'
import { openWorkspaceAccess } from '../../features/workspaces/feature.ts'
import { openNetworkAccess } from '../../features/network/network-access.ts'
import { createCallAccess } from '../pipeline/call-access.ts'
import { createTenantRules } from '../governance/create-tenant-rules.ts'
import { createEventFeed } from '../../core/events/event-feed.ts'
import { createRefusals } from '../../core/explain/refusals.ts'
import { createCallRecorder } from '../../core/pipeline/record/call-recorder.ts'
import { toCallResult } from '../../core/kernel/call-result.ts'
import type { PipelinePorts } from '../../core/pipeline/ports.ts'
import { createRunningCalls } from '../../core/pipeline/run/running-calls.ts'
import { callTool } from '../../core/pipeline/call-tool.ts'
import { createRoleBook } from '../../core/people/role-book.ts'
import { createLimiter, type NodeLimiter } from '../../core/limits/limiter.ts'
import { createRegistry, type Registry } from '../../core/registry.ts'
import { createPackTools } from '../../core/sources/pack-tools.ts'
import { assertNoneRefused } from '../../core/sources/tool-source.ts'
import { findDecidingSecrets } from '../../core/policy/missing-secrets.ts'
import { toolsOf } from '../../core/rules/tools-of.ts'
import { createToolSources } from '../../core/sources/tool-sources.ts'
import type { Config } from '../config/config-schema.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { createAuthorities, isAbsentMember } from '../governance/authorities.ts'
import { createScopeSource } from '../governance/scope-source.ts'
import { createTenantViews } from '../governance/tenant-views.ts'
import { createApprovalPort, createWorkPort } from '../pipeline/pipeline-ports.ts'
import { createOffers } from '../offers/create-offers.ts'
import type { OpenStores } from '../../features/open-stores.ts'
import { openHost } from '../host/open-host.ts'
import { packs } from '../../tools/packs.ts'
import { createServerAddress } from '../server/server-address.ts'
import { callGone, createWaitForCall } from '../pipeline/wait-for-call.ts'
import { pickEnv } from '../config/pick-env.ts'
import type { Parts } from '../parts.ts'

interface PartsOptions {
  config: Config
  /** The data folder, absolute. */
  data: string
  store: OpenStores
  env: Readonly<Record<string, string | undefined>>
  /**
   * Takes work from the queue. If absent, queued calls are left to the servers on the same
   * database.
   */
  isRunner: boolean
  knownSecrets: PipelinePorts['knownSecrets']
  onWarning(message: string): void
}

/** Opens the parts in the order of their dependencies; nothing runs yet. */
export async function openParts(options: PartsOptions): Promise<Parts> {
  const { config, store, env, onWarning } = options
  const registry = createRegistry()
  const rights = await openRights(options, registry)
  const host = await openHost({ ...options, ...config, tenants: store.tenants })
  const { engine, now } = store
  const given = { engine, now, host, onWarning, rules: rights.rules, config: config.workspaces }
  const { workspaces, workspaceAccess } = openWorkspaceAccess(given)
  rights.views.subscribe((tenant) => {
    workspaces.applyChanges(tenant).catch((error: unknown) => {
      onWarning(`Changes of workspaces could not be read: ${String(error)}`)
    })
  })
  const basis = { ...rights, registry, workspaceAccess }
  const { close: closePipeline, ...pipeline } = openPipeline(options, basis)
  const { ports } = pipeline
  const { groups: ofGroups, events } = store
  const leaseMs = config.limits.nodeTimeoutMs
  const groups = createGroups({ store: ofGroups, events, ports, leaseMs, onWarning })
  const { scopeFor } = rights
  const offers = createOffers({ config, registry, scopeFor, found: store.foundTools })
  const feed = createEventFeed(events)
  const { rules } = rights
  const network = openNetworkAccess({ settings: config.network, rules, store, host, onWarning })
  async function close(): Promise<void> {
    rights.views.close()
    await groups.close()
    await closePipeline()
    await network.close()
    await host.close()
  }
  const parts = { config, store, env, onWarning, registry, host, workspaces, network }
  return { ...parts, ...rights, ...pipeline, groups, offers, feed, close }
}

interface PipelineBasis extends Rights, Pick<PipelinePorts, 'workspaceAccess'> {
  registry: Registry
}

/** The pipeline and the stores it writes to. */
function openPipeline(options: PartsOptions, rights: PipelineBasis) {
  const { config, store, isRunner, onWarning } = options
  const { registry, scopeFor, authorities, sources, workspaceAccess } = rights
  const recorder = createCallRecorder(store, onWarning)
  const running = createRunningCalls()
  const metrics = createMetrics({
    running: running.count,
    unwritten: recorder.unwritten,
    tools: () => registry.list().length,
  })
  const { now, limits, usage: totals } = store
  const counting = { now, store: limits, totals, onRefused: metrics.recordRefusal }
  const limiter = createLimiter({ ...counting, onWarning })
  const stopTicking = keepTicking(limiter, onWarning)
  const contracts = () => registry.list().map(({ contract }) => contract)
  const work = createWork({ store, contracts, limits: config.limits, isRunner, onWarning })
  const address = createServerAddress(config.server)
  const waitForCall = createWaitForCall(store)
  const capabilities = createCapabilityBook()
  const ports: PipelinePorts = {
    ...portsOfStore(options),
    workspaceAccess,
    registry,
    recorder,
    running,
    limiter,
    scopeFor,
    capabilities: capabilities.capabilities,
    work: createWorkPort(work, {
      isRunner,
      workers: config.limits.concurrency,
      publicUrl: address.publicUrl,
    }),
    callerNow: (caller) => authorities.now(caller, ['tools.call']),
    peopleBehind: authorities.peopleBehind,
    readyTools: sources.readyFor,
    findVersion: sources.findVersion,
    callTool: (request) => callTool(request, ports),
    async waitForCall(tenant, callId, signal) {
      const call = await waitForCall(tenant, callId, { signal })
      return call === undefined ? callGone(callId) : toCallResult(call)
    },
    onSettled: metrics.recordCall,
  }
  const calls = createCallAccess({ store, ports, waitForCall })
  async function close(): Promise<void> {
    await stopTicking()
    await recorder.close()
  }
  return { ...address, ports, capabilities, calls, metrics, waitForCall, work, close }
}

/** The ports of the pipeline that need only the store and the configuration. */
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
    onWarning,
  }
}

/** Rules that are cached in memory and dropped when they change. */
async function openRights({ config, store, env, onWarning }: PartsOptions, registry: Registry) {
  const findDeciding = (tenant: string) => findDecidingSecrets(toolsOf(registry, tenant).list())
  const views = await createTenantViews({ store, findDeciding, onWarning })
  views.subscribe((tenant) => store.keys.forget(tenant))
  const skills = openSkills(store, store.engine)
  const sources = createToolSources(registry, views)
  assertNoneRefused(await sources.attach(createPackTools(packs)))
  const skillLevels = skills.levels
  const scopes = createScopeSource({ config, registry, views, env, skillLevels, sources })
  const roles = createRoleBook(config.roles)
  const authorities = createAuthorities({ store, roles })
  const rules = createTenantRules({ config, registry, views, env, skillLevels })
  const scopeFor: PipelinePorts['scopeFor'] = (caller) =>
    isAbsentMember(caller)
      ? authorities.now(caller, ['tools.call']).then((now) => scopes.scopeFor(now))
      : scopes.scopeFor(caller)
  return { views, sources, skills, scopes, roles, authorities, rules, scopeFor }
}

type Rights = Awaited<ReturnType<typeof openRights>>

const tickEveryMs = 1000

/** Unused shares of limits return to the other nodes within about a second. */
function keepTicking(limiter: NodeLimiter, onWarning: (message: string) => void) {
  const timer = setInterval(() => {
    limiter.tick().catch((error: unknown) => {
      onWarning(`Unused shares of limits could not be returned: ${String(error)}`)
    })
  }, tickEveryMs).unref()
  return async () => {
    clearInterval(timer)
    await limiter.close().catch(() => undefined)
  }
}
