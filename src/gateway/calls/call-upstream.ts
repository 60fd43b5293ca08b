import type { CallContext } from '../../core/kernel/call.ts'
import type { ClientAbility } from '../../core/kernel/context/caller-client.ts'
import { redactedClient } from '../../core/client/redacted-client.ts'
import { isToolError, ToolError } from '../../core/kernel/errors.ts'
import { isRecord } from '../../core/kernel/json/json-type.ts'
import type { Redactor } from '../../core/secrets/redact.ts'
import type { Upstream, UpstreamRequest } from '../upstream/open-upstream.ts'
import { type ParamHeader, toParamHeaders } from '../tools/param-headers.ts'
import { isLost, type JsonRecord, rpcCodes, rpcFaultOf } from '../wire/messages.ts'
import { askCaller, type CallFrame, isShared } from './call-frame.ts'
import { followTask } from './follow-task.ts'
import { toOutput } from './to-output.ts'

/** A connection for as long as a call needs it. */
export interface Lease {
  upstream: Upstream
  redactor: Redactor
  release(): void
}

/** The facts about a tool and its server that a call needs. */
export interface CallTarget {
  server: string
  /** As the server calls it. */
  tool: string
  paramHeaders: readonly ParamHeader[]
  /** The server runs it as a task only. */
  needsTask: boolean
  /** Running it twice is the same as once. */
  isRepeatable: boolean
  maxBytes: number
  lease(frame: CallFrame, context: CallContext): Promise<Lease>
}

/** Rounds of questions that one call may take. */
const maxRounds = 20

/** Calls a tool of another server. A connection that is lost is made again only where nothing can be done twice. */
export async function callUpstream(
  target: CallTarget,
  input: unknown,
  context: CallContext,
): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1) {
    const frame: CallFrame = { tool: target.tool, client: context.client }
    const lease = await target.lease(frame, context)
    const { redactor } = lease
    // A question may repeat what the server was given, which its caller need not know.
    frame.client = context.client && redactedClient(context.client, redactor)
    try {
      const output = await runCall({ target, input, context, frame, ...lease })
      return redactor.isEmpty ? output : redactor.redactValue(output as JsonRecord)
    } catch (error) {
      if (attempt === 1 && !context.signal.aborted && mayRepeat(error, target, frame)) continue
      const told = await explainInability(error, frame)
      throw redactError(present(told, target, frame), redactor)
    } finally {
      lease.release()
    }
  }
}

/** Where the connection was lost, or was shared and the next one is not. */
function mayRepeat(error: unknown, { isRepeatable }: CallTarget, frame: CallFrame): boolean {
  if (isLost(error)) return error.details['wasSent'] !== true || isRepeatable
  return isRepeatable && isAnswer(error) && isShared(frame)
}

/** A failure that the server itself reports. */
function isAnswer(error: unknown): error is ToolError {
  return isToolError(error) && (error.code === 'tool_failed' || rpcFaultOf(error) !== undefined)
}

interface Run {
  target: CallTarget
  input: unknown
  context: CallContext
  frame: CallFrame
  upstream: Upstream
  redactor: Redactor
}

async function runCall(run: Run): Promise<unknown> {
  const { target, input, context, frame, upstream, redactor } = run
  const { client, signal } = context
  const headers =
    target.paramHeaders.length > 0 ? toParamHeaders(target.paramHeaders, input) : undefined
  const options: UpstreamRequest & { signal: AbortSignal } = {
    signal,
    frame,
    maxBytes: target.maxBytes,
    onProgress: (progress) => context.progress(redact(progress, redactor)),
    ...(client !== undefined && {
      abilities: client.abilities,
      logLevel: 'debug',
      onLog: (line) => client.log(redact(line, redactor)),
    }),
    ...(headers !== undefined && { headers }),
  }
  const params: JsonRecord = { name: target.tool, arguments: input as JsonRecord }
  if (target.needsTask && upstream.verdict.era === 'legacy') params['task'] = {}
  let more: JsonRecord = {}
  for (let round = 0; round < maxRounds; round += 1) {
    const result = await upstream.request('tools/call', { ...params, ...more }, options)
    const kind = result['resultType']
    if (kind === 'input_required') more = await answerRound(result, frame)
    else if (kind === 'task')
      return toOutput(await followTask(result, { upstream, frame, options }))
    else if (params['task'] !== undefined && isRecord(result['task'])) {
      return toOutput(await followTask(result['task'], { upstream, frame, options }))
    } else return toOutput(result)
  }
  throw new ToolError('upstream_failed', `The tool asked ${maxRounds} times and did not end`)
}

/** Asks what the server wants to know; the call is made again with the answers. */
async function answerRound(result: JsonRecord, frame: CallFrame): Promise<JsonRecord> {
  const { inputRequests, requestState } = result
  const questions = isRecord(inputRequests) ? inputRequests : {}
  const inputResponses =
    Object.keys(questions).length > 0 ? await askCaller(frame, questions) : undefined
  return {
    ...(inputResponses !== undefined && { inputResponses }),
    ...(requestState !== undefined && { requestState }),
  }
}

const askedBy: ReadonlyMap<string, readonly [ability: ClientAbility, method: string]> = new Map([
  ['elicitation', ['elicitation.form', 'elicitation/create']],
  ['sampling', ['sampling', 'sampling/createMessage']],
  ['roots', ['roots', 'roots/list']],
])

/**
 * A server that refuses a call because its caller cannot be asked something names the missing
 * ability. The caller's client lacks it, as the server reports, and its door refuses in its own
 * words.
 */
async function explainInability(error: unknown, frame: CallFrame): Promise<unknown> {
  const fault = rpcFaultOf(error)
  if (fault?.code !== rpcCodes.unableClient || frame.client === undefined) return error
  const needed = isRecord(fault.data) ? fault.data['requiredCapabilities'] : undefined
  const questions = Object.keys(isRecord(needed) ? needed : {}).flatMap((name) => {
    const [ability, method] = askedBy.get(name) ?? []
    if (ability === undefined || frame.client?.abilities.has(ability) === true) return []
    return [[name, { method, params: {} }] as const]
  })
  if (questions.length === 0) return error
  return askCaller(frame, Object.fromEntries(questions)).then(
    () => error,
    (refusal: unknown) => refusal,
  )
}

/** The failure in our codes. */
function present(error: unknown, target: CallTarget, frame: CallFrame): unknown {
  if (!isToolError(error)) return error
  const { server, tool, isRepeatable } = target
  if (isAnswer(error) && frame.unanswered !== undefined) {
    const { message: why, fix, retryable } = frame.unanswered
    // Many a server fails with the words in which it was refused.
    const message = error.message.includes(why) ? why : `${why}: ${error.message}`
    return new ToolError('client_unable', message, { retryable, ...(fix !== undefined && { fix }) })
  }
  const fault = rpcFaultOf(error)
  if (fault?.code === rpcCodes.unableClient) {
    return new ToolError('client_unable', fault.message, { details: error.details })
  }
  if (isLost(error)) {
    const message = `The connection to ${server} was lost while ${tool} ran: ${error.message}`
    if (error.details['wasSent'] !== true || isRepeatable) {
      return new ToolError('upstream_failed', message, { cause: error })
    }
    return new ToolError('outcome_unknown', `${message}. It may have happened`, {
      cause: error,
      fix: `Look at what ${server} holds before you call ${tool} again.`,
    })
  }
  return error
}

/** Progress messages too may contain values that were given to the server. */
function redact<T extends object>(said: T, redactor: Redactor): T {
  return redactor.isEmpty ? said : (redactor.redactValue(said as JsonRecord) as T)
}

/** Servers repeat what they were given in their errors. */
function redactError(error: unknown, redactor: Redactor): unknown {
  if (redactor.isEmpty || !isToolError(error)) return error
  const { code, retryable, issues, fix } = error
  return new ToolError(code, redactor.redactText(error.message), {
    retryable,
    issues,
    ...(fix !== undefined && { fix }),
  })
}
