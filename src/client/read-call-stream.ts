import type { CallResult } from '../core/kernel/call.ts'
import { readSse, type SseMessage } from '../core/client/read-sse.ts'
import { toProblemError } from '../core/client/problem-error.ts'
import type { CallOutput } from '../core/kernel/call-request.ts'
import { isRecord } from '../core/kernel/json/json-type.ts'
import type { PortRequest } from '../core/offer/tool-port.ts'
import { brokenOff } from './crib-client.ts'

/**
 * Reads a call's output as it arrives, and its result. A background or waiting call is answered at
 * once, as in process: callers that want its result wait as long as they like.
 */
export async function readCallStream(
  response: Response,
  { onOutput, onCall }: Pick<PortRequest, 'onOutput' | 'onCall'>,
): Promise<CallResult> {
  const type = response.headers.get('content-type') ?? ''
  // An answer that came before a stream could begin.
  if (!type.startsWith('text/event-stream')) return readAnswer(response, onCall)
  for await (const { event, text } of unbroken(messagesOf(response))) {
    const value: unknown = JSON.parse(text)
    if (standing.has(event)) return value as CallResult
    const fields = isRecord(value) ? value : {}
    if (event === 'error') throw toProblemError(fields, 500)
    if (event === 'call') onCall?.(String(fields['callId']))
    if (event === 'call.output') onOutput?.(value as CallOutput)
  }
  throw brokenOff()
}

/** The same messages; a broken connection becomes an error with its meaning. */
async function* unbroken(
  messages: AsyncIterable<SseMessage> | SseMessage[],
): AsyncGenerator<SseMessage> {
  try {
    yield* messages
  } catch (error) {
    throw brokenOff(error)
  }
}

/** Events that report the status of a call. */
const standing: ReadonlySet<string> = new Set(['result', 'waiting', 'queued', 'running'])

/** The answer of a call that was not streamed. */
async function readAnswer(response: Response, onCall: PortRequest['onCall']): Promise<CallResult> {
  const result = await response.json().then(
    (value) => value as CallResult,
    (error: unknown) => Promise.reject(brokenOff(error)),
  )
  if (result.callId !== undefined) onCall?.(result.callId)
  return result
}

function messagesOf({ body }: Response): AsyncIterable<SseMessage> | SseMessage[] {
  return body === null ? [] : readSse(body)
}
