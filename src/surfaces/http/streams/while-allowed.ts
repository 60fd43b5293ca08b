import type { CribApi } from '../../../core/crib-api.ts'
import type { Asked } from '../route.ts'
import { toProblem, toProblemSource } from '../problem.ts'
import { heartbeat, toFrame } from './event-stream.ts'
import type { Frames } from './event-stream.ts'
import { isOutage, restInOutage } from './outage.ts'

/**
 * Between two checks of a busy stream; a quiet one is checked with every heartbeat, and when there is
 * word of a change. Most checks are answered from memory.
 */
const recheckMs = 250

/**
 * Passes frames on for as long as the reader may have them. A stream outlives the check of its
 * request by hours: a key that was revoked or has expired, and a session that was ended, end it.
 */
export async function* whileAllowed(
  frames: AsyncGenerator<Frames, void>,
  { requestId, recheck, door }: Pick<Asked<unknown, unknown>, 'requestId' | 'recheck' | 'door'>,
): AsyncGenerator<Frames, void> {
  const changes = watchChanges(door.api)
  let checkedAt = Date.now()
  let next = frames.next()
  try {
    for (;;) {
      const got = await Promise.race([next, changes.next()])
      if (got !== 'changed' && got.done === true) return
      const frame = got === 'changed' ? heartbeat : got.value
      const isDue = frame === heartbeat || Date.now() - checkedAt > recheckMs
      const check = isDue ? yield* recheckWhenBack(recheck, frame) : 'unknown'
      if (typeof check !== 'string') {
        const source = toProblemSource(check.refusal, requestId)
        return yield toFrame('error', toProblem(source, { requestId }))
      }
      if (check === 'good') checkedAt = Date.now()
      if (got === 'changed') continue
      yield frame
      next = frames.next()
    }
  } finally {
    changes.stop()
    // Not waited for: it may stand in the middle of a long wait, which its own end cuts short.
    void frames.return()
  }
}

/** Changes come in bursts, and each would have every stream look again. */
const gatherMs = 500

/** Resolves when somebody may have lost what they had. */
function watchChanges(api: Pick<CribApi, 'watchAccess'>) {
  let change = Promise.withResolvers<'changed'>()
  let timer: NodeJS.Timeout | undefined
  const unwatch = api.watchAccess(() => {
    timer ??= setTimeout(() => {
      timer = undefined
      const told = change
      change = Promise.withResolvers()
      told.resolve('changed')
    }, gatherMs)
  })
  return {
    next: () => change.promise,
    stop() {
      clearTimeout(timer)
      unwatch()
    },
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
