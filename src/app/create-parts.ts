import { findTerms } from '../core/approvals/approval-terms.ts'
import { expireApproval } from '../core/approvals/decide-approval.ts'
import { createGroups, type Groups } from '../core/async/groups.ts'
import { createOutsideProgress, type OutsideProgress } from '../core/async/outside-progress.ts'
import { createRefusals } from '../core/explain/refusals.ts'
import { createCallRecorder } from '../core/pipeline/call-recorder.ts'
import { resultOf } from '../core/pipeline/call-tool.ts'
import type { ApprovalDesk, PipelinePorts, WorkDesk } from '../core/pipeline/ports.ts'
import { createRunningCalls } from '../core/pipeline/running-calls.ts'
import { endStored, runQueued } from '../core/pipeline/run-queued.ts'
import type { StoredCall, Store } from '../core/ports.ts'
import type { Tenant } from '../core/rules/tenant.ts'
import { ToolError } from '../core/errors.ts'
import { createWork, type Work } from '../engine/open-work.ts'
import type { Sweep } from '../engine/sweeps.ts'
import { noticeSweeps } from './notice-sweeps.ts'
import { createRegistry, type Registry } from '../core/registry.ts'
import type { Config } from './config-schema.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { createScopeSource, type ScopeSource } from './governance/scope-source.ts'
import { createTenantViews, type TenantViews } from './governance/tenant-views.ts'
import { createWaitForCall, type WaitForCall } from './wait-for-call.ts'

/** What lives as long as the crib. */
export interface Parts {
  store: Store
  registry: Registry
  scopes: ScopeSource
  views: TenantViews
  ports: PipelinePorts
  metrics: Metrics
  waitForCall: WaitForCall
  work: Work
  outsideProgress: OutsideProgress
  groups: Groups
  /** Where this server is reached from outside, once it listens. */
  setPublicUrl(url: string): void
  close(): Promise<void>
}

interface PartsOptions {
  config: Config
  store: Store
  env: Readonly<Record<string, string | undefined>>
  /** Takes work from the queue. Without, queued calls are left to the servers on the same database. */
  isRunner: boolean
  onWarning(message: string): void
}

/** Makes the parts and wires them to each other; nothing runs yet. */
export async function createParts(options: PartsOptions): Promise<Parts> {
  const { config, store, env, isRunner, onWarning } = options
  const registry = createRegistry()
  const recorder = createCallRecorder(store.calls, onWarning)
  const running = createRunningCalls()
  const waitForCall = createWaitForCall(store)
  const metrics = createMetrics({
    running: running.count,
    backlog: recorder.backlog,
    tools: () => registry.list().length,
  })
  const views = await createTenantViews(store, onWarning)
  const scopes = createScopeSource({ config, registry, views, env })
  let publicUrl = config.server.publicUrl ?? 'http://localhost'
  const late = { ports: () => ports, publicUrl: () => publicUrl, groups: () => groups }
  const work = openWork({ config, store, env, isRunner, ...late })
  const groups = openGroups({ config, store, ports: late.ports })
  const ports: PipelinePorts = {
    registry,
    calls: store.calls,
    flags: store.sessionFlags,
    refusals: createRefusals(store.events, onWarning),
    work: createWorkDesk(work, isRunner, () => publicUrl),
    scopeFor: scopes.scopeFor,
    recorder,
    running,
    artifacts: store.artifacts,
    secrets: store.secrets,
    readEnv: (names) => pickEnv(env, names),
    async waitForCall(tenant, callId, signal) {
      const call = await waitForCall(tenant, callId, { signal })
      return call === undefined ? { callId, status: 'failed' } : resultOf(call)
    },
    approvals: createApprovalDesk(config, store),
    limits: {
      maxCallDepth: config.limits.callDepth,
      maxArtifactBytes: config.limits.artifactBytes,
    },
    onSettled: metrics.recordCall,
    onWarning,
  }
  const outsideProgress = createOutsideProgress({ ...store, registry })
  async function close(): Promise<void> {
    views.close()
    await groups.close()
    await outsideProgress.close()
    await recorder.close()
  }
  const setPublicUrl = (url: string) => (publicUrl = config.server.publicUrl ?? url)
  const shared = { store, registry, scopes, views, ports, metrics }
  return { ...shared, waitForCall, work, outsideProgress, groups, setPublicUrl, close }
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
      ...noticeSweeps({ config, store, env, publicUrl }),
      { name: 'groups', everyMs: 1000, run: () => groups().sweep() },
      { name: 'group deadlines', everyMs: 1000, run: () => groups().expire() },
    ],
    onWarning: (message) => ports().onWarning(message),
  })
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
      const beforeMs = Date.now() - retention.days * dayMs
      let removed = 0
      for await (const { slug } of allTenants(store)) {
        removed += await store.removeOld(slug, beforeMs, removeAtOnce)
      }
      return removed
    },
  }
}

function createWorkDesk(
  { prepare, checkRoom, wake }: Work,
  isRunner: boolean,
  publicUrl: () => string,
): WorkDesk {
  const completionUrl = (callId: string) => `${publicUrl()}/api/v1/calls/${callId}/complete`
  return { isRunner, prepare, checkRoom, wake, completionUrl }
}

function createApprovalDesk({ approvals }: Config, store: Store): ApprovalDesk {
  return {
    ...store.approvals,
    termsFor: (tool, { agent, groups }) =>
      findTerms(approvals, { tool, agent: agent?.slug }, groups),
    isAnnounced: approvals.webhook !== undefined,
  }
}

function toolGone(tool: string): ToolError {
  return new ToolError('tool_not_found', `${tool} was there when the call was queued, and no more`)
}

/** A call that waited too long for the outside. */
async function expireCall(call: StoredCall, ports: PipelinePorts): Promise<void> {
  if (call.waitingFor === 'approval') return expireApproval(call, ports)
  const because =
    call.waitingFor === 'external'
      ? new ToolError('timeout', 'Nobody outside completed the call in time')
      : new ToolError('timeout', 'The call waited too long')
  await endStored(call, because, ports)
}

async function* allTenants({ tenants }: Pick<Store, 'tenants'>): AsyncGenerator<Tenant> {
  let after: string | undefined
  do {
    const page = await tenants.list({ after, limit: 200 })
    yield* page.items
    after = page.next
  } while (after !== undefined)
}

/** Empty counts as not set. */
function pickEnv(
  env: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])))
}
