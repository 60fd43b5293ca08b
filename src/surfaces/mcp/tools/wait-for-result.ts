import type { CallResult } from '../../../core/call.ts'
import { isToolError } from '../../../core/errors.ts'
import { isSettled } from '../../../core/pipeline/call-state.ts'
import type { CallerLine } from '../calls/caller-line.ts'
import { hasLeft } from '../calls/leaving.ts'
import type { McpRequest } from '../mcp-desk.ts'

interface Waiting extends Pick<McpRequest, 'desk' | 'visit'> {
  signal: AbortSignal
  line: CallerLine | undefined
}

/** Between two signs of life. */
const pauseMs = 5_000

/** The same for its own client: who leaves leaves it going on, who cancels ends it. */
export async function waitForResult(first: CallResult, waiting: Waiting): Promise<CallResult> {
  const { desk, visit, signal } = waiting
  const result = await waitOn(first, waiting)
  if (!signal.aborted || hasLeft(signal) || isSettled(result.status)) return result
  return desk.api.cancel(visit.caller, first.callId ?? '').catch((error: unknown) => {
    if (isToolError(error)) return result
    throw error
  })
}

/** Waits for a call that goes on elsewhere, for as long as clients usually do. */
export async function waitOn(first: CallResult, waiting: Waiting): Promise<CallResult> {
  const { desk, visit, signal, line } = waiting
  const callId = first.callId ?? ''
  const until = performance.now() + desk.limits.waitMs
  let result = first
  while (!isSettled(result.status) && !signal.aborted) {
    const left = until - performance.now()
    if (left <= 0) return result
    line?.say(reasonFor(result))
    const waitMs = Math.min(left, pauseMs)
    result = await desk.api.findCall(visit.caller, callId, { waitMs, signal })
  }
  return result
}

function reasonFor({ status, waitingFor }: CallResult): string {
  if (waitingFor === 'approval') return 'Waiting for a person to approve the call'
  if (waitingFor === 'external') return 'Waiting for somebody outside to complete the call'
  return status === 'queued' ? 'Waiting in the queue' : 'Still at work'
}
