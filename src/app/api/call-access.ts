import type { Caller, CallRecord } from '../../core/call.ts'
import { asAgent } from '../../core/caller.ts'
import type { CribApi } from '../../core/crib-api.ts'
import { ToolError } from '../../core/errors.ts'
import { callTool } from '../../core/pipeline/call-tool.ts'
import { toCallError, toSettlement } from '../../core/pipeline/call-facts.ts'
import { isSettled } from '../../core/pipeline/call-state.ts'
import type { PipelinePorts } from '../../core/pipeline/ports.ts'
import type { Store } from '../../core/ports.ts'
import type { WaitForCall } from '../wait-for-call.ts'
import { holds, requirePermission } from './permissions.ts'

type CallAccess = Pick<
  CribApi,
  'call' | 'findCall' | 'listCalls' | 'cancel' | 'rerun' | 'readArtifact'
>

interface CallAccessOptions {
  store: Store
  ports: PipelinePorts
  waitForCall: WaitForCall
  isDraining(): boolean
}

const callId = /^call_[0-9a-f]{32}$/

/** Making calls, and the record of them. Without `audit.read` a principal sees its own alone. */
export function createCallAccess(options: CallAccessOptions): CallAccess {
  const { store, ports } = options

  async function find(caller: Caller, id: string): Promise<CallRecord> {
    const call = callId.test(id) ? await store.calls.find(caller.tenant, id) : undefined
    if (call === undefined || !maySee(caller, call)) throw callNotFound(id)
    return call
  }

  return {
    async call(request) {
      try {
        if (options.isDraining())
          throw new ToolError('shutting_down', 'The server is stopping; try again in a moment')
        requirePermission(request.caller, 'tools.call')
        return await callTool(request, ports)
      } catch (error) {
        return { status: 'failed', error: toCallError(error) }
      }
    },
    async findCall(caller, id, { waitMs = 0, signal } = {}) {
      const call = await find(caller, id)
      if (isSettled(call.status) || waitMs <= 0) return call
      return (await options.waitForCall(caller.tenant, id, { waitMs, signal })) ?? call
    },
    async listCalls(caller, query) {
      const own = holds(caller, 'audit.read') ? {} : { principal: caller.principal.id }
      return store.calls.list(caller.tenant, { ...query, ...own })
    },
    async cancel(caller, id) {
      requirePermission(caller, 'tools.call')
      const call = await find(caller, id)
      if (isSettled(call.status)) throw alreadySettled(call)
      await cancelCall(call, caller, options)
      const after = await options.waitForCall(caller.tenant, id, { waitMs: 5000 })
      return after ?? find(caller, id)
    },
    async rerun(caller, id, { input, ...request }) {
      const call = await find(caller, id)
      const as = asAgent(caller, { agent: call.agent })
      return this.call({
        ...request,
        tool: call.tool,
        input: input === undefined ? call.input : input,
        caller: { ...as, sessionId: call.sessionId },
        durable: true,
      })
    },
    async readArtifact(caller, id, range) {
      await find(caller, id)
      const page = await store.artifacts.read(caller.tenant, id, range)
      if (page !== undefined) return page
      throw new ToolError('not_found', `${id} has no artifact: its whole output is in the call`)
    },
  }
}

/** Here: abort it. Not begun: settle it. Elsewhere: leave word for the node that runs it. */
async function cancelCall(
  call: CallRecord,
  caller: Caller,
  options: CallAccessOptions,
): Promise<void> {
  const because = new ToolError(
    'cancelled',
    `Cancelled by ${caller.principal.kind} ${caller.principal.id}`,
  )
  const here = options.ports.running.find(call.callId)
  if (here !== undefined) {
    here.abort(because)
    await here.done
    return
  }
  if (call.status === 'queued') {
    const facts = { callId: call.callId, caller, requestedAt: Date.parse(call.requestedAt) }
    const settlement = toSettlement(
      facts,
      { error: toCallError(because), warnings: [] },
      { log: {} },
    )
    if (await options.store.calls.settle(settlement)) return
  }
  await options.store.calls.requestCancel(call.tenant, call.callId)
}

function maySee(caller: Caller, call: CallRecord): boolean {
  const isOwn =
    call.principal.kind === caller.principal.kind && call.principal.id === caller.principal.id
  return isOwn || holds(caller, 'audit.read')
}

/** Foreign, hidden and missing ids are one answer. */
function callNotFound(id: string): ToolError {
  return new ToolError('not_found', `There is no call ${JSON.stringify(id.slice(0, 100))}`)
}

function alreadySettled(call: CallRecord): ToolError {
  return new ToolError('already_settled', `${call.callId} is ${call.status} already`)
}
