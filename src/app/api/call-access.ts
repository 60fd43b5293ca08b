import { isSamePrincipal } from '../../core/kernel/caller.ts'
import { toCallResult } from '../../core/kernel/call-result.ts'
import type { ArtifactPage } from '../../core/kernel/artifact.ts'
import type { Caller, CallRecord, CallResult } from '../../core/kernel/call.ts'
import { asAgent } from '../../core/kernel/caller.ts'
import type { CribApi } from '../../features/crib-api.ts'
import type { CallRequest } from '../../core/kernel/call-request.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { callTool } from '../../core/pipeline/call-tool.ts'
import { toCallError } from '../../core/pipeline/record/call-error.ts'
import { toSettlement } from '../../core/pipeline/record/call-facts.ts'
import { isSettled } from '../../core/call-state.ts'
import { listKept } from '../../core/pipeline/output/kept-bytes.ts'
import type { PipelinePorts } from '../../core/pipeline/ports.ts'
import type { CallQuery } from '../../core/call-log.ts'
import type { Store } from '../../core/ports.ts'
import { isRedacted, listMarks } from '../../core/secrets/is-redacted.ts'
import type { WaitForCall } from '../pipeline/wait-for-call.ts'
import { agentFor, isInReach } from '../../core/operations/agent-reach.ts'
import { holds, requirePermission } from '../../core/operations/require-permission.ts'
import { assertWellFormed } from './well-formed.ts'

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

  async function find(caller: Caller, id: string, mayKnow = maySee): Promise<CallRecord> {
    if (!callId.test(id)) throw callNotFound(id)
    const call = await findLatest(caller.tenant, id, options)
    const isKnown = call !== undefined && isInReach(caller, call) && mayKnow(caller, call)
    if (!isKnown) throw callNotFound(id)
    return call
  }

  return {
    async call(request) {
      try {
        if (options.isDraining())
          throw new ToolError('shutting_down', 'The server is stopping; try again in a moment')
        requirePermission(request.caller, 'tools.call')
        assertWellFormed(request)
        return await untilSettled(request, await callTool(onTime(request, store), ports), options)
      } catch (error) {
        return { status: 'failed', error: toCallError(error) }
      }
    },
    async findCall(caller, id, { waitMs = 0, signal } = {}) {
      const call = await find(caller, id)
      if (isSettled(call.status) || waitMs <= 0) return call
      return (await options.waitForCall(caller.tenant, id, { waitMs, signal })) ?? call
    },
    listCalls: async (caller, query) =>
      store.calls.list(caller.tenant, narrow(caller, query, options)),
    async cancel(caller, id) {
      const call = await find(caller, id, maySeeOrManage)
      // Reading about the work of others is not a right to stop it.
      if (!isOwn(caller, call)) requirePermission(caller, 'calls.manage')
      if (isSettled(call.status)) throw alreadySettled(call)
      await cancelCall(call, caller, options)
      return (await options.waitForCall(caller.tenant, id, { waitMs: 5000 })) ?? call
    },
    async rerun(caller, id, { input, ...request }) {
      requirePermission(caller, 'tools.call')
      const call = await find(caller, id)
      const as = asAgent(caller, { agent: call.agent, skill: call.skill })
      if (input === undefined && isRedacted(call.input)) throw redactedInput(call)
      return this.call({
        ...request,
        tool: call.tool,
        input: input === undefined ? call.input : input,
        caller: { ...as, sessionId: call.sessionId },
        durable: true,
      })
    },
    async readArtifact(caller, id, range) {
      return readKept(await find(caller, id), range, store)
    },
  }
}

/** A door reckons a start by the clock of its node; it is due by that of the database. */
function onTime(request: CallRequest, { now }: Pick<Store, 'now'>): CallRequest {
  if (request.startAt === undefined) return request
  return { ...request, startAt: request.startAt - Date.now() + now() }
}

/** A read that has just begun, or just ended, may be known to its caller before the disk knows it. */
async function findLatest(
  tenant: string,
  id: string,
  { store, ports }: Pick<CallAccessOptions, 'store' | 'ports'>,
): Promise<CallRecord | undefined> {
  // Asked for before looking: once its end is written, the recorder has forgotten the call.
  const written = ports.recorder.ensure(id)
  const call = await store.calls.find(tenant, id)
  if (call !== undefined && isSettled(call.status)) return call
  return (await written) ? store.calls.find(tenant, id) : call
}

/** By the call's own word for it: what a run that lost has left is not its output. */
async function readKept(
  { tenant, callId: id, artifact, output }: CallRecord,
  { artifact: wanted, ...range }: Parameters<CribApi['readArtifact']>[2],
  { artifacts }: Pick<Store, 'artifacts'>,
): Promise<ArtifactPage> {
  const isWhole = wanted === undefined || wanted === artifact?.id
  const meant = isWhole ? artifact : listKept(output).find((kept) => kept.id === wanted)
  const page = meant && (await artifacts.read(tenant, id, { ...range, id: meant.id }))
  if (page !== undefined) return page
  throw new ToolError('not_found', `${id} has no such artifact: its whole output is in the call`)
}

/** What of it the caller may see. The history of a tool that was renamed is its history. */
function narrow(caller: Caller, query: CallQuery, { ports }: CallAccessOptions): CallQuery {
  const { tool } = query
  const formerNames = tool === undefined ? undefined : ports.registry.find(tool)?.contract.aliases
  const agent = agentFor(caller, query.agent)
  return {
    ...query,
    ...(formerNames !== undefined && { formerNames }),
    ...(!holds(caller, 'audit.read') && { principal: caller.principal.id }),
    ...(agent !== undefined && { agent }),
  }
}

/** A caller that is ready to wait gets the end of the call, if it comes in time. */
function untilSettled(
  { caller, waitMs = 0, signal }: CallRequest,
  result: CallResult,
  { waitForCall }: CallAccessOptions,
): CallResult | Promise<CallResult> {
  if (waitMs <= 0 || result.callId === undefined || isSettled(result.status)) return result
  return waitForCall(caller.tenant, result.callId, { waitMs, signal }).then((call) =>
    call === undefined ? result : toCallResult(call),
  )
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
    here.control.abort(because)
    await here.done
    // The word may have come after its run had ended, and the call waits for somebody outside by now.
    const left = await options.store.calls.find(call.tenant, call.callId)
    return left !== undefined && isAtRest(left) ? cancelCall(left, caller, options) : undefined
  }
  if (isAtRest(call)) {
    const facts = { callId: call.callId, caller, requestedAt: Date.parse(call.requestedAt) }
    const settlement = toSettlement(
      facts,
      { error: toCallError(because), warnings: [] },
      { log: {}, settledAt: options.store.now() },
    )
    const guarded = { ...settlement, from: call.status, hadJob: true }
    if (await options.store.calls.settle(guarded)) {
      options.ports.work.wake()
      return cancelChildren(call, caller, options)
    }
    // It has moved on meanwhile: a yes puts what waited into the queue, where nobody looks for a word.
    const moved = await options.store.calls.find(call.tenant, call.callId)
    if (moved !== undefined && isSettled(moved.status)) return
    if (moved !== undefined && moved.status !== call.status) {
      return cancelCall(moved, caller, options)
    }
  }
  await options.store.calls.requestCancel(call.tenant, call.callId)
}

/** Nobody runs it at the moment. */
function isAtRest<T extends CallRecord>(call: T): call is T & { status: 'queued' | 'waiting' } {
  return call.status === 'queued' || call.status === 'waiting'
}

/** What a waiting call has asked for is of no use without it. */
async function cancelChildren(
  call: CallRecord,
  caller: Caller,
  options: CallAccessOptions,
): Promise<void> {
  const children = await options.store.calls.listChildren(call.tenant, call.callId)
  const open = children.filter(({ status }) => !isSettled(status))
  await Promise.all(open.map((child) => cancelCall(child, caller, options)))
}

function maySee(caller: Caller, call: CallRecord): boolean {
  return isOwn(caller, call) || holds(caller, 'audit.read')
}

function maySeeOrManage(caller: Caller, call: CallRecord): boolean {
  return maySee(caller, call) || holds(caller, 'calls.manage')
}

function isOwn({ principal }: Caller, call: CallRecord): boolean {
  return isSamePrincipal(call.principal, principal)
}

/** Foreign, hidden and missing ids are one answer. */
function callNotFound(id: string): ToolError {
  return new ToolError('not_found', `There is no call ${JSON.stringify(id.slice(0, 100))}`, {
    fix: 'toolcrib calls lists them.',
  })
}

function redactedInput(call: CallRecord): ToolError {
  return new ToolError(
    'invalid_request',
    `The input of ${call.callId} held secrets, which are not kept`,
    {
      issues: listMarks(call.input).map((path) => ({ path, message: 'has to be entered again' })),
      fix: 'Send the whole input along, with the hidden values entered again.',
    },
  )
}

function alreadySettled(call: CallRecord): ToolError {
  return new ToolError('already_settled', `${call.callId} is ${call.status} already`)
}
