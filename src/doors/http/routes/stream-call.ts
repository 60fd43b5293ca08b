import { askOperation } from '../../../features/ask-operation.ts'
import { isSettled } from '../../../core/call-state.ts'
import { toCallResult } from '../../../core/kernel/call-result.ts'
import type { CallResult } from '../../../core/kernel/call.ts'
import type { CallRequest } from '../../../core/kernel/call-request.ts'
import type { CribEvent, EventType } from '../../../core/events/event.ts'
import { toCallReply } from '../call-reply.ts'
import { eventStreamReply, goodbye, heartbeat, toFrame } from '../streams/event-stream.ts'
import { followEvents, toFollowQuery } from '../streams/follow-events.ts'
import { onHangUp } from '../request/http-request.ts'
import { createPendingOutput } from '../streams/pending-output.ts'
import type { PendingOutput } from '../streams/pending-output.ts'
import { toProblem, toProblemSource } from '../problem.ts'
import type { Reply } from '../reply.ts'
import type { Asked } from '../route.ts'
import type { EventFollower } from '../../../core/events/event-follower.ts'
import { createWakeUp } from '../streams/wake-up.ts'
import type { WakeUp } from '../streams/wake-up.ts'
import { whileAllowed } from '../streams/while-allowed.ts'

/** A call whose output is read while it runs. */
interface LiveCall {
  wakeUp: WakeUp
  pending: PendingOutput
  callId?: string
  result?: CallResult
  hasReader: boolean
  /** Follows the call's events where they are all there is of it. */
  follower?: EventFollower
}

/**
 * Calls the tool and streams what it puts out. The answer begins when the call exists: what is
 * refused before is still an ordinary problem with its status.
 */
export async function streamCall(
  asked: Asked<unknown, unknown>,
  request: CallRequest,
): Promise<Reply> {
  const { door } = asked
  const live: LiveCall = {
    wakeUp: createWakeUp(),
    pending: createPendingOutput(door.limits.maxPendingBytes),
    hasReader: true,
  }
  const leave = new AbortController()
  const goesOn = request.respondAsync === true || request.idempotencyKey !== undefined
  const closeStream = door.streams.open(asked.caller, () => wake(live))
  // Called when the stream ends in any way, also when the caller hangs up before it has begun.
  const onClose = () => {
    live.hasReader = false
    wake(live)
    closeStream()
    if (!goesOn && live.result === undefined) leave.abort()
  }
  onHangUp(asked.request, onClose)
  void startCall(asked, { ...request, signal: leave.signal }, live)
  await live.wakeUp.wait(door.limits.heartbeatMs)
  if (live.callId === undefined && live.result !== undefined) {
    onClose()
    return toCallReply(live.result, asked.requestId)
  }
  const frames = callFrames(asked, request, live)
  return eventStreamReply(whileAllowed(frames, asked), onClose)
}

function wake({ wakeUp, follower }: LiveCall): void {
  wakeUp.wake()
  follower?.wake()
}

async function startCall(asked: Asked<unknown, unknown>, request: CallRequest, live: LiveCall) {
  try {
    live.result = await asked.door.api.call({
      ...request,
      onCall(callId) {
        live.callId = callId
        live.wakeUp.wake()
      },
      onOutput(output) {
        // The output of an asynchronous call is read from its record, not a second time from here.
        if (!live.hasReader || request.respondAsync === true) return
        live.pending.add(output)
        live.wakeUp.wake()
      },
    })
  } catch (error) {
    // `call` never rejects; were it to, the reader must not wait for ever.
    live.result = { status: 'failed', error: toProblemSource(error, asked.requestId) }
  }
  live.wakeUp.wake()
}

async function* callFrames(
  asked: Asked<unknown, unknown>,
  request: CallRequest,
  live: LiveCall,
): AsyncGenerator<string, void> {
  let isAnnounced = false
  while (live.hasReader) {
    if (!isAnnounced && live.callId !== undefined) {
      isAnnounced = true
      yield toFrame('call', { callId: live.callId })
    }
    const { result } = live
    const output = live.pending.take()
    if (output !== '') yield output
    if (result !== undefined) return yield* resultFrames(asked, request, { live, result })
    // Output that came while the reader took the last piece has woken us already.
    if (!(await live.wakeUp.wait(asked.door.limits.heartbeatMs))) yield heartbeat
  }
}

/** The result; for a call that continues in the background, its events come first. */
async function* resultFrames(
  asked: Asked<unknown, unknown>,
  request: CallRequest,
  { live, result }: { live: LiveCall; result: CallResult },
): AsyncGenerator<string, void> {
  if (result.callId === undefined || isSettled(result.status)) {
    return yield toFrame('result', result)
  }
  const { callId } = result
  const asking = { api: asked.door.api, caller: request.caller }
  // The caller may be the one who has to decide on it, or may have no time to wait.
  yield toFrame(result.status, result)
  try {
    let told = result.waitingFor
    for await (const page of followCall(asked, request, { live, callId })) {
      const output = page.filter(({ type }) => type === 'call.output')
      yield output.length === 0 ? heartbeat : output.map(toOutputFrame).join('')
      if (output.length === page.length) continue
      const stand = toCallResult(await askOperation(asking, 'findCall', { id: callId }))
      if (isNews(stand, told)) yield toFrame('waiting', stand)
      told = stand.waitingFor ?? told
    }
    const record = await askOperation(asking, 'findCall', { id: callId })
    yield isSettled(record.status) ? toFrame('result', toCallResult(record)) : goodbye
  } catch (error) {
    const source = toProblemSource(error, asked.requestId)
    yield toFrame('error', toProblem(source, { requestId: asked.requestId, callId }))
  }
}

/** It waits, and for something other than its reader knows. */
function isNews({ waitingFor }: CallResult, told: CallResult['waitingFor']): boolean {
  return waitingFor !== undefined && waitingFor !== told
}

async function* followCall(
  { door }: Asked<unknown, unknown>,
  { caller }: CallRequest,
  { live, callId }: { live: LiveCall; callId: string },
) {
  const query = { callId, types: ['call.output', 'call.waiting'] satisfies EventType[], limit: 100 }
  const { api } = door
  const follower = await api.followEvents(caller, toFollowQuery(query))
  live.follower = follower
  try {
    const first = await follower.next(0)
    const isEnded = () => !live.hasReader || door.isDraining()
    const { heartbeatMs } = door.limits
    yield* followEvents({ api, caller, query, follower, first, isEnded, heartbeatMs })
  } finally {
    follower.close()
  }
}

function toOutputFrame(event: CribEvent): string {
  return toFrame('call.output', event.data, event.id)
}
