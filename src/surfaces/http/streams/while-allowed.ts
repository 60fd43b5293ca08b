import type { Asked } from '../route.ts'
import { toProblem, toProblemSource } from '../problem.ts'
import { heartbeat, toFrame } from './event-stream.ts'
import type { Frames } from './event-stream.ts'
import { isOutage, restInOutage } from './outage.ts'

/** Between two checks of a busy stream; a quiet one is checked with every heartbeat. */
const recheckMs = 1_000

/**
 * Passes frames on for as long as the reader may have them. A stream outlives the check of its
 * request by hours: a key that was revoked or has expired, and a session that was ended, end it.
 */
export async function* whileAllowed(
  frames: AsyncIterable<Frames>,
  { requestId, recheck }: Pick<Asked<unknown, unknown>, 'requestId' | 'recheck'>,
): AsyncGenerator<Frames, void> {
  let checkedAt = Date.now()
  for await (const frame of frames) {
    const isDue = frame === heartbeat || Date.now() - checkedAt > recheckMs
    const check = isDue ? yield* recheckWhenBack(recheck, frame) : 'unknown'
    if (typeof check !== 'string') {
      const source = toProblemSource(check.refusal, requestId)
      return yield toFrame('error', toProblem(source, { requestId }))
    }
    if (check === 'good') checkedAt = Date.now()
    yield frame
  }
}

/**
 * Checks; unknown when the store could not say. A heartbeat tells nothing and may pass unchecked,
 * anything else waits until the store is back: a key that was revoked meanwhile reads no more.
 */
async function* recheckWhenBack(
  recheck: () => Promise<void>,
  frame: Frames,
): AsyncGenerator<Frames, 'good' | 'unknown' | { refusal: unknown }> {
  while (true) {
    try {
      await recheck()
      return 'good'
    } catch (error) {
      if (!isOutage(error)) return { refusal: error }
    }
    if (frame === heartbeat) return 'unknown'
    yield heartbeat
    await restInOutage()
  }
}
