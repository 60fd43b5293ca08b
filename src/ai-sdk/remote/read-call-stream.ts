import type { CallResult } from '../../core/call.ts'
import { readSse, type SseMessage } from '../../core/client/read-sse.ts'
import { toProblemError } from '../../core/client/problem-error.ts'
import type { CallOutput } from '../../core/crib-api.ts'
import { ToolError } from '../../core/errors.ts'
import { isRecord } from '../../core/schema/json/json-type.ts'
import type { PortRequest } from '../../core/tool-port.ts'

/**
 * Reads a call's output as it comes, and its result. A call that waits for somebody is answered as
 * waiting at once: its stream would go on until somebody has decided.
 */
export async function readCallStream(
  response: Response,
  { onOutput, onCall }: Pick<PortRequest, 'onOutput' | 'onCall'>,
): Promise<CallResult> {
  const type = response.headers.get('content-type') ?? ''
  // An answer that came before a stream could begin.
  if (!type.startsWith('text/event-stream')) return readAnswer(response, onCall)
  for await (const { event, text } of messagesOf(response)) {
    const value: unknown = JSON.parse(text)
    if (event === 'result' || event === 'waiting') return value as CallResult
    const fields = isRecord(value) ? value : {}
    if (event === 'error') throw toProblemError(fields, 500)
    if (event === 'call') onCall?.(String(fields['callId']))
    if (event === 'call.output') onOutput?.(value as CallOutput)
  }
  throw brokenOff()
}

/** The answer of a call that was not streamed. */
export async function readAnswer(
  response: Response,
  onCall: PortRequest['onCall'],
): Promise<CallResult> {
  const result = (await response.json()) as CallResult
  if (result.callId !== undefined) onCall?.(result.callId)
  return result
}

function messagesOf({ body }: Response): AsyncIterable<SseMessage> | SseMessage[] {
  return body === null ? [] : readSse(body)
}

function brokenOff(): ToolError {
  return new ToolError('server_unreachable', 'The crib broke off before the call had ended', {
    fix: 'The call may go on: look for it in the record before calling again.',
  })
}
