import { askOperation } from '../../features/ask-operation.ts'
import { isSamePrincipal } from '../../core/kernel/caller.ts'
import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { CallRecord } from '../../core/kernel/call.ts'
import type { ClientRequest } from '../../core/kernel/context/caller-client.ts'
import { isToolError } from '../../core/kernel/errors.ts'
import { missingAbilities } from './calls/client-abilities.ts'
import type { Attend, McpRequest } from './mcp-shared.ts'
import { holderOf } from './mcp-request-context.ts'
import { fromCallError } from './protocol-error.ts'
import { renderResult } from './tools/render-result.ts'
import { mcpOutput } from './results/mcp-output.ts'
import { decide, findQuestion } from './tasks/decide-call.ts'
import { readTaskProgress } from './tasks/task-progress.ts'
import { toTask } from './tasks/to-task.ts'

const schemas = { params: z.looseObject({ taskId: z.string() }), result: z.looseObject({}) }

/** The tasks extension: stored calls, fetched, answered and cancelled by their id. */
export function addTaskHandlers(server: Server, attend: Attend): void {
  server.setRequestHandler('tasks/get', schemas, ({ taskId }, context) =>
    attend(context, async (request) => ({
      resultType: 'complete',
      ...(await describeTask(await findTask(taskId, request), request)),
    })),
  )
  server.setRequestHandler('tasks/update', schemas, ({ taskId }, context) =>
    attend(context, async (request) => {
      const call = await findTask(taskId, request)
      await answerTask(call, request, context.mcpReq.inputResponses ?? {})
      return { resultType: 'complete' }
    }),
  )
  server.setRequestHandler('tasks/cancel', schemas, ({ taskId }, context) =>
    attend(context, async (request) => {
      const call = await findTask(taskId, request)
      await cancelTask(call, request)
      return { resultType: 'complete' }
    }),
  )
}

/** The caller's own calls alone: calls of others that it may read are not its tasks. */
async function findTask(taskId: string, request: McpRequest): Promise<CallRecord> {
  const { shared, requestContext, abilities } = request
  if (!abilities.has('tasks')) throw missingAbilities(['tasks'])
  const { caller } = requestContext
  const call = await askOperation({ api: shared.api, caller }, 'findCall', { id: taskId }).catch(
    (error: unknown) => {
      if (isToolError(error) && error.code === 'not_found') return undefined
      throw error
    },
  )
  const isOwn = isSamePrincipal(call?.principal, caller.principal)
  // A key that is bound to an agent sees what the agent did.
  const isAgents = caller.agent === undefined || call?.agent === caller.agent
  if (call !== undefined && isOwn && isAgents) return call
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such task')
}

async function describeTask(call: CallRecord, request: McpRequest): Promise<object> {
  if (call.status === 'cancelled') return toTask(call, 'cancelled')
  if (call.status === 'queued' || call.status === 'running' || call.status === 'waiting') {
    return describeOpen(call, request)
  }
  if (isOurFault(call)) {
    const { code, message, data } = fromCallError(call.error ?? unknownEnd)
    return { ...toTask(call, 'failed', message), error: { code, message, data } }
  }
  const { shared, requestContext, era } = request
  const tool = (await shared.api.offer(requestContext.caller)).find(call.tool)
  const output = tool && mcpOutput(tool, era)
  const result = await renderResult(call, { shared, requestContext, era, output })
  return { ...toTask(call, 'completed'), result: { resultType: 'complete', ...result } }
}

const unknownEnd = { code: 'internal', message: 'It ended without a word' } as const

/** A tool that reports a failure has done its work; one that crashed or was cut off has not. */
function isOurFault({ status, error }: CallRecord): boolean {
  return status === 'failed' && (error === undefined || ourFaults.has(error.code))
}

const ourFaults: ReadonlySet<string> = new Set([
  'tool_crashed',
  'internal',
  'interrupted',
  'outcome_unknown',
  'record_failed',
  'store_unavailable',
])

async function describeOpen(call: CallRecord, request: McpRequest): Promise<object> {
  const questions = openQuestions(call, request)
  if (questions !== undefined)
    return { ...toTask(call, 'input_required'), inputRequests: questions }
  if (call.waitingFor === 'external') {
    return toTask(call, 'working', 'Waits for somebody outside to complete it')
  }
  if (call.waitingFor !== 'approval') {
    return toTask(call, 'working', await readTaskProgress(call, request))
  }
  const asked = await findQuestion(call, request)
  const message = 'Waits for a person to approve it'
  return {
    ...toTask(call, 'input_required', message),
    // Callers who may not decide are not asked; somebody else decides.
    inputRequests: asked === undefined ? {} : { [asked.key]: asked.question },
  }
}

/** The tool's own questions, if it runs in this process. */
function openQuestions(
  { callId }: CallRecord,
  { shared, requestContext }: McpRequest,
): Record<string, ClientRequest> | undefined {
  const questions = shared.live.find(callId, holderOf(requestContext.caller))?.questions() ?? {}
  return Object.keys(questions).length === 0 ? undefined : questions
}

/** Answers what is open and leaves what is not: a client may come twice with the same. */
async function answerTask(
  call: CallRecord,
  request: McpRequest,
  responses: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { shared, requestContext } = request
  shared.live.find(call.callId, holderOf(requestContext.caller))?.answer(responses)
  await decide(call, request, responses)
}

/** A task that has ended is acknowledged like one that ends now. */
async function cancelTask(
  { callId }: CallRecord,
  { shared, requestContext }: McpRequest,
): Promise<void> {
  try {
    const asking = { api: shared.api, caller: requestContext.caller }
    await askOperation(asking, 'cancelCall', { id: callId })
  } catch (error) {
    if (!isToolError(error) || error.code !== 'already_settled') throw error
  }
}
