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

/** Waits for a call that goes on elsewhere, for as long as clients usually do. It goes on without who leaves. */
export async function waitForResult(first: CallResult, waiting: Waiting): Promise<CallResult> {
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
  if (signal.aborted && !hasLeft(signal) && !isSettled(result.status)) {
    return desk.api.cancel(visit.caller, callId).catch((error: unknown) => {
      if (isToolError(error)) return result
      throw error
    })
  }
  return result
}

function reasonFor({ status, waitingFor }: CallResult): string {
  if (waitingFor === 'approval') return 'Waiting for a person to approve the call'
  if (waitingFor === 'external') return 'Waiting for somebody outside to complete the call'
  return status === 'queued' ? 'Waiting in the queue' : 'Still at work'
}
