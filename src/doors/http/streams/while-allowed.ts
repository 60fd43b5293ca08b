import type { Asked } from '../route.ts'
import { toProblem, toProblemSource } from '../problem.ts'
import { heartbeat, toFrame } from './event-stream.ts'
import type { Frames } from './event-stream.ts'
import { restInOutage } from './outage.ts'
import { isOutage } from '../../../core/kernel/errors.ts'

/** Between two checks of a busy stream; a quiet one is checked with every heartbeat. */
const recheckMs = 2_000
/** A tenant in which much changes does not have its streams checked more often than so. */
const changePauseMs = 200

/**
 * Passes frames on for as long as the reader may have them. A stream outlives the check of its
 * request by hours: a key that was revoked or has expired, and a session that was ended, end it. It
 * is checked at once when something about the tenant changes, else every now and then.
 */
export async function* whileAllowed(
  frames: AsyncGenerator<Frames, void>,
  asked: Pick<Asked<unknown, unknown>, 'requestId' | 'recheck' | 'door' | 'caller'>,
): AsyncGenerator<Frames, void> {
  const { requestId, recheck } = asked
  const change = watchForChange(asked)
  let checkedAt = performance.now()
  // During an outage nobody hears of a revocation: what comes after it is checked first.
  let isInDoubt = false
  let next = frames.next()
  try {
    while (true) {
      const came = await change.orElse(next)
      const frame = came === 'changed' ? heartbeat : came.value
      if (frame === undefined) return
      const isDue: boolean =
        frame === heartbeat || isInDoubt || performance.now() - checkedAt > recheckMs
      const check: Check = isDue ? yield* recheckWhenBack(recheck, frame) : 'unknown'
      if (typeof check !== 'string') {
        const source = toProblemSource(check.refusal, requestId)
        return yield toFrame('error', toProblem(source, { requestId }))
      }
      if (isDue) isInDoubt = check === 'unknown'
      if (check === 'good') checkedAt = performance.now()
      if (came === 'changed') continue
      yield frame
      next = frames.next()
    }
  } finally {
    change.stop()
    // Not waited for: the source may be waiting for something that only comes when the stream is closed.
    next.catch(() => undefined)
    frames.return().catch(() => undefined)
  }
}

/** Something to wait for beside the next frame: that access may have changed. */
function watchForChange({ door, caller }: Pick<Asked<unknown, unknown>, 'door' | 'caller'>): {
  orElse<T>(next: Promise<T>): Promise<T | 'changed'>
  stop(): void
} {
  let isStale = false
  let wake: (() => void) | undefined
  let pause: NodeJS.Timeout | undefined
  const unwatch = door.api.watchAccess(caller, () => {
    pause ??= setTimeout(() => {
      pause = undefined
      isStale = true
      wake?.()
    }, changePauseMs)
  })
  return {
    async orElse(next) {
      const { promise, resolve } = Promise.withResolvers<'changed'>()
      wake = () => resolve('changed')
      const came = isStale ? 'changed' : await Promise.race([next, promise])
      wake = undefined
      if (came === 'changed') isStale = false
      return came
    },
    stop() {
      unwatch()
      clearTimeout(pause)
    },
  }
}

/** The access of a reader; `unknown` if the store could not answer. */
type Check = 'good' | 'unknown' | { refusal: unknown }

/**
 * Checks access; unknown if the store could not answer. A heartbeat reveals nothing and may pass
 * unchecked; anything else waits until the store is back, so a key revoked in the meantime reads no
 * more.
 */
async function* recheckWhenBack(
  recheck: () => Promise<void>,
  frame: Frames,
): AsyncGenerator<Frames, Check> {
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
