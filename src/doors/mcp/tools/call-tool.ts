import { askOperation } from '../../../features/ask-operation.ts'
import {
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { CallResult } from '../../../core/kernel/call.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { OfferedTool } from '../../../core/offer/tool-offer.ts'
import { isSettled } from '../../../core/call-state.ts'
import { describeTool, searchTool } from '../../../core/kernel/meta-tools.ts'
import { toLine } from '../calls/caller-line.ts'
import { missingAbilities } from '../calls/client-abilities.ts'
import { type PendingDialog, startDialog } from '../calls/pending-dialog.ts'
import { endLostCall, findOwnCall } from './lost-call.ts'
import type { OpenRequest } from '../calls/open-requests.ts'
import { type EndedWork, type ResumeToken, toUndecided } from '../calls/parked-dialogs.ts'
import { askOverSession } from '../calls/ask-over-session.ts'
import type { McpRequest } from '../mcp-shared.ts'
import { holderOf } from '../mcp-request-context.ts'
import { isDismissed } from '../tasks/approval-question.ts'
import { createdTask, type CreatedTask } from '../tasks/created-task.ts'
import { decide, type DecisionQuestion, findQuestion } from '../tasks/decide-call.ts'
import { renderResult } from './render-result.ts'
import { fromScopedName } from './tool-pages.ts'
import { findResultTool, readResult } from './result-tool.ts'
import { resultToolName, toPendingResult } from '../results/to-tool-result.ts'
import { mcpOutput } from '../results/mcp-output.ts'
import { throwRefusal } from './throw-refusal.ts'
import { waitForResult } from './wait-for-result.ts'

/** One `tools/call` with what its answer depends on. */
interface ToolCall extends McpRequest {
  context: ServerContext
  /** Canonical or wire name. */
  name: string
  tool: OfferedTool | undefined
  /** Can its model come back for a result? */
  hasResultTool: boolean
  /** Where its cancel comes as a request of its own. */
  open: OpenRequest | undefined
}

type Answer = CallToolResult | InputRequiredResult | CreatedTask

/** Answers `tools/call`: with the result, with questions, or with a task to come back for. */
export async function callTool(
  params: CallToolRequest['params'],
  request: McpRequest,
  context: ServerContext,
): Promise<Answer> {
  const { shared, requestContext } = request
  const name = fromScopedName(params.name, requestContext.scope)
  const offer = await shared.api.offer(requestContext.caller)
  const hasResultTool = findResultTool(offer, requestContext.scope) !== undefined
  if (hasResultTool && name === resultToolName) return readResult(params, request, context)
  const tool = offer.find(name)
  const open =
    requestContext.isLight && shared.openRequests.open(requestContext.caller, context.mcpReq.id)
  const call: ToolCall = { ...request, context, name, tool, hasResultTool, open }
  try {
    const answer = await answerCall(params, call)
    if (tool !== undefined && finding.has(tool.name)) request.onSearched?.()
    return answer
  } finally {
    open?.close()
  }
}

/** The tools whose use makes the list of their caller longer. */
const finding: ReadonlySet<string> = new Set([searchTool, describeTool])

async function answerCall(params: CallToolRequest['params'], call: ToolCall): Promise<Answer> {
  const { tool, abilities, context } = call
  const lacking = (tool?.clientNeeds ?? []).filter((need) => !abilities.has(need))
  if (lacking.length > 0) throw missingAbilities(lacking)
  const ticket = context.mcpReq.requestState<ResumeToken>()
  if (ticket?.undecided !== undefined) return answerDecided(ticket.undecided, call)
  if (ticket !== undefined && ticket.elsewhere === undefined) {
    const parked = resume(ticket, call)
    if (!('endedCall' in parked)) return conclude(parked, call)
    const asking = { api: call.shared.api, caller: call.requestContext.caller }
    return show(await askOperation(asking, 'findCall', { id: parked.endedCall }), call)
  }
  const lost = ticket && (await endLostCall({ ...call, ticket }))
  return lost === undefined ? conclude(begin(params, call), call) : show(lost, call)
}

function begin(params: CallToolRequest['params'], call: ToolCall): PendingDialog<CallResult> {
  const { shared, requestContext, abilities, context } = call
  const line = toLine(context)
  const dialog: PendingDialog<CallResult> = startDialog<CallResult>({
    abilities,
    line,
    askMs: shared.limits.askMs,
    given: context.mcpReq.inputResponses,
    ...(call.isTwoWay && { send: askOverSession(context, shared.limits.askMs) }),
    work: ({ client, signal, onCall }) =>
      shared.api.call({
        tool: call.name,
        input: params.arguments ?? {},
        caller: requestContext.caller,
        client,
        signal,
        durable: true,
        onCall(callId) {
          onCall(callId)
          call.open?.onCall(callId)
        },
        onOutput: (output) => dialog.line?.tell(output),
        ...idempotencyKey(context),
      }),
  })
  return dialog
}

/** A client that may have to repeat itself names its call; the rules are those of the HTTP header. */
function idempotencyKey({ mcpReq }: ServerContext): { idempotencyKey?: string } {
  const { _meta: meta } = mcpReq
  const key = meta?.['toolcrib/idempotencyKey']
  return typeof key === 'string' && key !== '' && key.length <= 200 ? { idempotencyKey: key } : {}
}

function resume(ticket: ResumeToken, call: ToolCall): PendingDialog<CallResult> | EndedWork {
  const { shared, requestContext, context } = call
  const owner = { holder: holderOf(requestContext.caller), subject: subjectOf(call) }
  const parked = shared.parked.resume(ticket, owner)
  if ('endedCall' in parked) return parked
  const dialog = parked as PendingDialog<CallResult>
  dialog.line = toLine(context)
  dialog.answer(context.mcpReq.inputResponses ?? {})
  return dialog
}

function subjectOf({ name }: Pick<ToolCall, 'name'>): string {
  return `tools/call ${name}`
}

async function conclude(dialog: PendingDialog<CallResult>, call: ToolCall): Promise<Answer> {
  const { shared, requestContext, context } = call
  const outcome = await untilNext(dialog, call)
  if (outcome === 'slow') {
    dialog.line = undefined
    shared.live.add(dialog, holderOf(requestContext.caller))
    return createdTask(call, dialog.callId ?? '')
  }
  if (!outcome.isDone) {
    const owner = { holder: holderOf(requestContext.caller), subject: subjectOf(call) }
    dialog.line = undefined
    await putOnRecord(dialog, call)
    const inputRequests = dialog.questions() as QuestionsOfSdk
    const requestState = await shared.parked.park(dialog, owner, context)
    // Nobody gets the ticket, so nobody comes back with it.
    if (context.mcpReq.signal.aborted) dialog.abort(cancelledByClient())
    return inputRequired({ inputRequests, requestState })
  }
  return answerWith(outcome.value, dialog, call)
}

/** A read may not be stored yet, and a reader of the answer has to find it. */
async function putOnRecord(
  { callId }: PendingDialog<CallResult>,
  { shared, requestContext }: ToolCall,
) {
  if (callId === undefined) return
  const asking = { api: shared.api, caller: requestContext.caller }
  await askOperation(asking, 'findCall', { id: callId }).catch(() => undefined)
}

type Outcome = Awaited<ReturnType<PendingDialog<CallResult>['next']>> | 'slow'

/** Runs until there is something to answer. A client that disconnects first ends its call. */
async function untilNext(dialog: PendingDialog<CallResult>, call: ToolCall): Promise<Outcome> {
  const { signal } = call.context.mcpReq
  const leave = () => dialog.abort(cancelledByClient())
  const slow = untilSlow(dialog, call)
  // A call that starts as a task asks its questions as a task.
  const next =
    isTask(call) && slow.mayCome ? dialog.whenDone.then(() => dialog.next()) : dialog.next()
  if (signal.aborted) leave()
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([next, slow.promise])
  } finally {
    signal.removeEventListener('abort', leave)
    slow.stop()
  }
}

function cancelledByClient(): ToolError {
  return new ToolError('cancelled', 'The client cancelled the call')
}

/** When a running call becomes a task: at once if its tool is marked so, else after a while. */
function untilSlow(
  dialog: PendingDialog<CallResult>,
  call: ToolCall,
): { promise: Promise<'slow'>; mayCome: boolean; stop(): void } {
  const { promise, resolve } = Promise.withResolvers<'slow'>()
  const mayBeTask =
    call.abilities.has('tasks') && call.shared.live.hasRoom(holderOf(call.requestContext.caller))
  if (!mayBeTask) return { promise, mayCome: false, stop: () => undefined }
  const tell = () => void dialog.hasCall.then(() => resolve('slow'))
  const timer = setTimeout(tell, isTask(call) ? 0 : call.shared.limits.taskAfterMs)
  return { promise, mayCome: true, stop: () => clearTimeout(timer) }
}

function isTask({ tool }: ToolCall): boolean {
  return tool?.clientNeeds?.includes('tasks') === true
}

async function answerWith(
  first: CallResult,
  dialog: PendingDialog<CallResult>,
  call: ToolCall,
): Promise<Answer> {
  const { era, abilities } = call
  throwRefusal(first, dialog.missing, era)
  let result = first
  if (!isSettled(first.status) && first.callId !== undefined) {
    if (abilities.has('tasks')) return createdTask(call, first.callId)
    const asked = await findQuestion(first, call)
    if (asked !== undefined && !call.isTwoWay) {
      return askDecision(first.callId, asked)
    }
    result = await waitAsking(first, { ...call, line: dialog.line }, asked)
  }
  return show(result, call)
}

function askDecision(callId: string, { key, question }: DecisionQuestion): InputRequiredResult {
  const inputRequests = { [key]: question } as QuestionsOfSdk
  return inputRequired({ inputRequests, requestState: toUndecided(callId) })
}

type QuestionsOfSdk = Parameters<typeof inputRequired>[0]['inputRequests'] & object

/** Waits, and asks the client to decide in the meantime if it may and can be asked. */
async function waitAsking(
  first: CallResult,
  call: ToolCall & { line: PendingDialog<CallResult>['line'] },
  asked: DecisionQuestion | undefined,
): Promise<CallResult> {
  const { signal } = call.context.mcpReq
  if (asked === undefined) return waitForResult(first, { ...call, signal })
  const over = new AbortController()
  // Others may decide too, so no answer here is not a failure.
  askToDecide(first, { ...call, over: over.signal }, asked).catch(() => undefined)
  try {
    return await waitForResult(first, { ...call, signal })
  } finally {
    over.abort()
  }
}

/** Asks once, and again whenever somebody has edited the input. */
async function askToDecide(
  first: CallResult,
  call: ToolCall & { over: AbortSignal },
  { key, question }: DecisionQuestion,
): Promise<void> {
  const said = await askOverSession(call.context, call.shared.limits.askMs)(question, call.over)
  if (await decide(first, call, { [key]: said })) return
  const next = await findQuestion(first, call)
  if (next !== undefined && next.key !== key) await askToDecide(first, call, next)
}

/** The client comes back with what it was asked about a call that waits for a decision. */
async function answerDecided(callId: string, call: ToolCall): Promise<Answer> {
  const { context } = call
  const { signal, inputResponses = {} } = context.mcpReq
  const found = await findOwnCall(call, callId)
  if (!(await decide(found, call, inputResponses))) {
    if (Object.values(inputResponses).some(isDismissed)) return show(found, call)
    const asked = await findQuestion(found, call)
    if (asked !== undefined) return askDecision(callId, asked)
  }
  return show(await waitForResult(found, { ...call, signal, line: toLine(context) }), call)
}

function show(result: CallResult, call: ToolCall): Promise<Answer> | Answer {
  const { tool, era, hasResultTool } = call
  const output = tool && mcpOutput(tool, era)
  return isSettled(result.status)
    ? renderResult(result, { ...call, output })
    : toPendingResult(result, { output, hasResultTool })
}
