import { createConversations } from '../../agents/chat/create-conversations.ts'
import type { ConversationPorts } from '../../agents/chat/conversation-ports.ts'
import { createConversationFor } from '../../agents/calls/create-conversation-for.ts'
import { createEvals } from '../../agents/evals/create-evals.ts'
import { reportChildren, type ReportPorts } from '../../agents/calls/report-children.ts'
import type { Caller } from '../../core/kernel/call.ts'
import { toCallError } from '../../core/pipeline/record/call-error.ts'
import { isSettled } from '../../core/call-state.ts'
import { completeInside } from '../../core/async/complete-call.ts'
import type { TurnLimits, TurnPorts } from '../../agents/turn/turn-ports.ts'
import { createTurnRunner } from '../../agents/turn/turn-runner.ts'
import type { AgentsPort } from '../../features/feature.ts'
import { keepAttachments } from '../../features/workspaces/attachments/keep-attachment.ts'
import type { FeatureApi } from '../../features/operations.ts'
import { holds, requirePermission } from '../../core/operations/require-permission.ts'
import type { Parts } from '../parts.ts'
import { createModelSource } from './model-source.ts'

/** Agents at work on this node. */
export interface AgentsWork extends AgentsPort {
  /** Picks up turns that others began. */
  start(): void
  /** Stops taking turns; running ones are handed over. */
  close(): Promise<void>
}

interface AgentsOptions extends Parts {
  /** The operations that turns use to cancel calls, and chats use to decide approvals. */
  api: Pick<FeatureApi, 'cancelCall' | 'decideApproval'>
}

const sweepEveryMs = 1000
const heartbeatMs = 15_000

/** Assembles the parts that run agents. */
export function openAgents(options: AgentsOptions): AgentsWork {
  const { api, onWarning } = options
  const turnPorts = createTurnPorts(options)
  const runner = createTurnRunner(turnPorts)
  const ports: ConversationPorts = {
    ...turnPorts,
    runner,
    heartbeatMs,
    decide: api.decideApproval,
    mayReadAll: (caller) => holds(caller, 'audit.read'),
    assertMayManage: (caller) => requirePermission(caller, 'calls.manage'),
  }
  const reporting = { ...turnPorts, complete: createComplete(options) }
  const report = (callId?: string) => reportChildren(reporting, callId)
  runner.onEnd(({ parentCallId }) => {
    if (parentCallId !== undefined) void report(parentCallId).catch(failed)
  })
  const failed = (error: unknown) => onWarning(`Turns could not be looked for: ${String(error)}`)
  const repeat = (work: () => Promise<unknown>) =>
    setInterval(() => void work().catch(failed), sweepEveryMs).unref()
  const timers: NodeJS.Timeout[] = []
  return {
    conversations: createConversations(ports),
    conversationFor: createConversationFor(ports),
    evals: createEvals({
      ...turnPorts,
      async callForEval(request) {
        const { callForEval } = await import('../../core/pipeline/shielded/call-for-eval.ts')
        return callForEval(request, options.ports)
      },
    }),
    start: () =>
      void timers.push(
        repeat(runner.sweep),
        repeat(() => report()),
      ),
    async close() {
      for (const timer of timers) clearInterval(timer)
      await runner.close()
    },
  }
}

function createTurnPorts(options: AgentsOptions): TurnPorts {
  const { store, ports, calls, api, offers, groups, authorities, workspaces, onWarning } = options
  // A turn outlives the request that began it. Its caller was allowed to chat or to call tools.
  const callerNow = (caller: Caller) => authorities.now(caller, ['agents.chat', 'tools.call'])
  return {
    now: store.now,
    store: store.conversations,
    inputs: store.inputs,
    groups,
    events: store.events,
    models: createModelSource(options),
    async offer(given) {
      const caller = await callerNow(given)
      requirePermission(caller, 'tools.call')
      return offers.offer(caller)
    },
    async call(request) {
      try {
        return await calls.call({ ...request, caller: await ports.callerNow(request.caller) })
      } catch (error) {
        return { status: 'failed', error: toCallError(error) }
      }
    },
    async findCall(tenant, callId) {
      await ports.recorder.ensure(callId)
      return store.calls.find(tenant, callId)
    },
    async readArtifact(tenant, callId, { id, bytes }) {
      const page = await store.artifacts.read(tenant, callId, { offset: 0, limit: bytes, id })
      return page?.chunk
    },
    keepAttachments: (caller, files) => keepAttachments(workspaces, caller, files),
    async groupCalls(tenant, groupId) {
      const members = await store.groups.listMembers(tenant, groupId)
      return members.map(({ callId, idempotencyKey: key }) => ({ callId, ...(key && { key }) }))
    },
    async cancelCall(caller, callId) {
      await api.cancelCall(caller, { id: callId })
    },
    findApproval: (tenant, id) => store.approvals.find(tenant, id),
    async assertCaller(caller) {
      await callerNow(caller)
    },
    async enterModel(caller) {
      await callerNow(caller)
      const { limits } = await ports.scopeFor(caller)
      const tool = { name: 'agent.model', pack: 'agent' }
      const permit = limits && (await ports.limiter.enter({ limits, tool, caller, isModel: true }))
      return {
        spend(cost) {
          permit?.spend({ cost, outputBytes: 0 })
          return permit !== undefined
        },
      }
    },
    limits: toTurnLimits(options),
    onWarning,
  }
}

/** Ends calls whose work agents of this server have done. */
function createComplete(options: AgentsOptions): ReportPorts['complete'] {
  const { store, ports, registry } = options
  return async ({ tenant, callId, cost }, given) => {
    const call = await store.calls.find(tenant, callId)
    if (call === undefined || isSettled(call.status)) return
    await completeInside(
      call,
      { ...given, cost },
      {
        ...store,
        ...ports,
        registry,
        events: store.events,
        calls: store.calls,
      },
    )
  }
}

const minuteMs = 60_000
const dayMs = 86_400_000

function toTurnLimits({ config }: Pick<Parts, 'config'>): TurnLimits {
  return {
    atOnce: 64,
    tenantAtOnce: 48,
    maxSteps: 15,
    subagentSteps: 10,
    subagentMs: 60 * minuteMs,
    leaseMs: config.limits.nodeTimeoutMs,
    modelMs: config.limits.modelMs,
    firstMs: config.limits.modelFirstMs,
    againMs: minuteMs / 2,
    chunkMs: config.limits.modelChunkMs,
    modelRetries: config.limits.modelRetries,
    waitMs: 7 * dayMs,
    compactAt: 0.75,
    callsAtOnce: 16,
    callsPerStep: 128,
    answerChars: 2_000_000,
  }
}
