import { askOperation } from '../../../features/ask-operation.ts'
import type { CallResult } from '../../../core/kernel/call.ts'
import { isToolError } from '../../../core/kernel/errors.ts'
import type { CribEvent, EventType } from '../../../core/events/event.ts'
import type { EventFollower } from '../../../core/events/event-follower.ts'
import { isSettled } from '../../../core/call-state.ts'
import type { CallerLine } from '../calls/caller-line.ts'
import { hasLeft } from '../calls/leaving.ts'
import type { McpRequest } from '../mcp-shared.ts'

interface Waiting extends Pick<McpRequest, 'shared' | 'requestContext'> {
  signal: AbortSignal
  line: CallerLine | undefined
}

/** Between two signs of life. */
const pauseMs = 5_000

/** The same for its own client: disconnecting leaves the call running, cancelling ends it. */
export async function waitForResult(first: CallResult, waiting: Waiting): Promise<CallResult> {
  const { shared, requestContext, signal } = waiting
  const result = await waitOn(first, waiting)
  if (!signal.aborted || hasLeft(signal) || isSettled(result.status)) return result
  const asking = { api: shared.api, caller: requestContext.caller }
  return askOperation(asking, 'cancelCall', { id: first.callId ?? '' }).catch((error: unknown) => {
    if (isToolError(error)) return result
    throw error
  })
}

/** Waits for a call that runs elsewhere, for as long as clients usually do. */
export async function waitOn(first: CallResult, waiting: Waiting): Promise<CallResult> {
  const { shared, requestContext, signal, line } = waiting
  const callId = first.callId ?? ''
  const asking = { api: shared.api, caller: requestContext.caller, signal }
  const until = performance.now() + shared.limits.waitMs
  const progress = line?.isHeard === true ? followProgress(callId, { ...waiting, line }) : undefined
  let result = first
  try {
    while (!isSettled(result.status) && !signal.aborted) {
      const left = until - performance.now()
      if (left <= 0) return result
      // The tool's own progress is a better sign of life than ours.
      if (progress?.hasSpoken() !== true) line?.say(reasonFor(result))
      const wait = Math.min(left, pauseMs) / 1000
      result = await askOperation(asking, 'findCall', { id: callId, wait })
    }
    return result
  } finally {
    await progress?.close()
  }
}

/** Passes on what the tool reports while it runs elsewhere: the event log has it, whichever node runs it. */
function followProgress(callId: string, waiting: Waiting & { line: CallerLine }) {
  const { shared, requestContext, line } = waiting
  let follower: EventFollower | undefined
  const closing = new AbortController()
  let hasSpoken = false
  const tellAll = (events: readonly CribEvent[]) => {
    for (const event of events) if (event.type === 'call.output') line.tell(event.data)
    hasSpoken ||= events.length > 0
  }
  async function follow(): Promise<void> {
    const query = { callId, types: ['call.output'] satisfies EventType[], limit: 100 }
    follower = await shared.api.followEvents(requestContext.caller, query)
    // A client that comes back gets the current progress, not all earlier messages.
    tellAll((await follower.next(0)).slice(-1))
    while (!closing.signal.aborted) tellAll(await follower.next(pauseMs))
  }
  const following = follow()
    // Progress is a courtesy: where it can't be read, the result is waited for all the same.
    .catch(() => undefined)
    .finally(() => follower?.close())
  return {
    /** Since the last time that somebody asked. */
    hasSpoken() {
      const spoke = hasSpoken
      hasSpoken = false
      return spoke
    },
    async close(): Promise<void> {
      closing.abort()
      // The last progress is sent before the result is.
      follower?.wake()
      await following
    },
  }
}

function reasonFor({ status, waitingFor }: CallResult): string {
  if (waitingFor === 'approval') return 'Waiting for a person to approve the call'
  if (waitingFor === 'external') return 'Waiting for somebody outside to complete the call'
  return status === 'queued' ? 'Waiting in the queue' : 'Still at work'
}
