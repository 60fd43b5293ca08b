import type { CallResult } from '../../../core/kernel/call.ts'
import type { CallOutput } from '../../../core/kernel/call-request.ts'
import { isToolError, ToolError } from '../../../core/kernel/errors.ts'
import type { JsonValue } from '../../../core/kernel/tool.ts'
import type { HttpClient } from '../client/http-client.ts'
import { readJson, readStream, toProblemError } from '../client/http-client.ts'
import { toWaitingLines } from './waiting-lines.ts'
import { type CallWatcher, watchCall } from './watch-call.ts'

/** One call as the line asked for it. */
export interface CallOrder {
  tool: string
  body: {
    input: JsonValue
    agent?: string
    skill?: string
    sessionId?: string
    timeoutMs?: number
    priority?: number
    delay?: number
  }
  idempotencyKey?: string
  isAsync: boolean
  /** Waits while a person decides; otherwise shows how to follow the call, and leaves. */
  isPatient: boolean
}

/**
 * Makes the call and reads its stream to the end. Throws if it was refused before a call existed.
 */
export async function runCall(
  client: HttpClient,
  order: CallOrder,
  watcher: CallWatcher,
): Promise<CallResult> {
  try {
    const response = await client.send(`/tools/${encodeURIComponent(order.tool)}/calls`, {
      method: 'POST',
      body: order.body,
      headers: toHeaders(order),
      signal: watcher.signal,
    })
    if (isStream(response)) return await readCall(client, response, { watcher, order })
    const result = (await readJson(response)) as CallResult
    if (result.callId !== undefined) watcher.onCall(result.callId)
    return result
  } catch (error) {
    return toDeniedResult(error, order.tool)
  }
}

function toHeaders({ isAsync, idempotencyKey }: CallOrder): Record<string, string> {
  return {
    accept: isAsync ? 'application/json' : 'text/event-stream, application/json',
    ...(isAsync ? { prefer: 'respond-async' } : {}),
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
  }
}

function isStream(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('text/event-stream') === true
}

async function readCall(
  client: HttpClient,
  response: Response,
  { watcher, order }: { watcher: CallWatcher; order: CallOrder },
): Promise<CallResult> {
  let callId: string | undefined
  try {
    for await (const { event, text } of readStream(response)) {
      const value = JSON.parse(text) as unknown
      if (event === 'call') {
        callId = (value as { callId: string }).callId
        watcher.onCall(callId)
      }
      if (event === 'waiting' && !order.isPatient) return value as CallResult
      notify(watcher, event, value)
      if (event === 'error') throw toProblemError(value as Record<string, unknown>, 500)
      if (event === 'result') return value as CallResult
    }
  } catch (error) {
    if (callId === undefined || !isToolError(error) || error.code !== 'server_unreachable')
      throw error
  }
  if (callId === undefined) {
    throw new ToolError(
      'server_unreachable',
      'The server ended the answer before the call began.',
      {
        fix: 'Check in toolcrib events whether it ran, then try again.',
      },
    )
  }
  // The connection was lost, but the call may still be running: its record has the outcome.
  watcher.onNote('The connection was lost; following the stored call.')
  return watchCall(client, callId, watcher)
}

function notify(watcher: CallWatcher, event: string, value: unknown): void {
  if (event === 'call.output') watcher.onOutput(value as CallOutput)
  if (event === 'gap') watcher.onNote('Some output is missing here; the stored call has all of it.')
  if (event !== 'waiting') return
  for (const line of toWaitingLines(value as CallResult)) watcher.onNote(line)
}

/**
 * The server refuses a denied call with a problem that names it; for the caller it is a call that
 * ended.
 */
function toDeniedResult(error: unknown, tool: string): CallResult {
  if (!isToolError(error)) throw error
  const { callId } = error.details
  const { code, message, retryable, issues, fix } = error
  if (typeof callId !== 'string') {
    if (code !== 'invalid_input' || fix !== undefined) throw error
    const help = `See toolcrib call ${tool} --help for its input.`
    throw new ToolError(code, message, { issues, fix: help, cause: error })
  }
  return {
    callId,
    status: 'denied',
    error: {
      code,
      message,
      retryable,
      ...(issues.length > 0 ? { issues } : {}),
      ...(fix === undefined ? {} : { fix }),
    },
  }
}
