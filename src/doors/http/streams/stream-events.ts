import type { CribEvent } from '../../../core/events/event.ts'
import type { EventFollower } from '../../../core/events/event-follower.ts'
import type { EventStart } from '../../../core/events/event-door.ts'
import { toProblem, toProblemSource } from '../problem.ts'
import type { Reply } from '../reply.ts'
import { onHangUp } from '../request/http-request.ts'
import type { Asked } from '../route.ts'
import { eventStreamReply, goodbye, heartbeat, toFrame } from './event-stream.ts'
import type { Frames } from './event-stream.ts'
import { followEvents } from './follow-events.ts'
import type { EventStreamOptions } from './follow-events.ts'
import { whileAllowed } from './while-allowed.ts'

export interface EventStream {
  query: EventStart
  /** Follows the log for this caller. */
  follow(): Promise<EventFollower>
  /** How its events look on the line. */
  toFrames(events: readonly CribEvent[]): Frames
}

type AnyAsked = Asked<unknown, unknown>

/** Answers with the log as it grows, for as long as the reader may have it and stays. */
export async function streamEvents(asked: AnyAsked, stream: EventStream): Promise<Reply> {
  const { door, caller } = asked
  let follower: EventFollower | undefined
  let hasReader = true
  const closeStream = door.streams.open(caller, () => follower?.wake())
  const onClose = () => {
    hasReader = false
    closeStream()
    follower?.close()
  }
  onHangUp(asked.request, onClose)
  try {
    follower = await stream.follow()
    const first = await follower.next(0)
    // A reader that has disconnected cannot close it.
    if (!hasReader) follower.close()
    const isEnded = () => !hasReader || door.isDraining()
    const frames = eventFrames(asked, stream, {
      query: stream.query,
      follower,
      first,
      isEnded,
    })
    return eventStreamReply(whileAllowed(frames, asked), onClose)
  } catch (error) {
    onClose()
    throw error
  }
}

async function* eventFrames(
  asked: AnyAsked,
  { toFrames }: EventStream,
  follow: Pick<EventStreamOptions, 'query' | 'follower' | 'first' | 'isEnded'>,
): AsyncGenerator<Frames, void> {
  const { door, caller, requestId } = asked
  const { heartbeatMs } = door.limits
  // The headers alone do not reach a client behind some proxies: say something at once.
  if (follow.first.length === 0) yield heartbeat
  try {
    for await (const page of followEvents({ api: door.api, caller, heartbeatMs, ...follow })) {
      yield page.length === 0 ? heartbeat : toFrames(page)
    }
    yield follow.isEnded() ? goodbye : toFrame('end', { callId: follow.query.callId })
  } catch (error) {
    yield toFrame('error', toProblem(toProblemSource(error, requestId), { requestId }))
  }
}
