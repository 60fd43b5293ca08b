import type { Asked } from '../route.ts'
import { toProblem, toProblemSource } from '../problem.ts'
import { heartbeat, toFrame } from './event-stream.ts'
import type { Frames } from './event-stream.ts'

/** Between two checks of a busy stream; a quiet one is checked with every heartbeat. */
const recheckMs = 2_000

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
    if (frame === heartbeat || Date.now() - checkedAt > recheckMs) {
      try {
        await recheck()
      } catch (error) {
        return yield toFrame('error', toProblem(toProblemSource(error, requestId), { requestId }))
      }
      checkedAt = Date.now()
    }
    yield frame
  }
}
