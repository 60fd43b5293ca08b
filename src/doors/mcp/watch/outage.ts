import { setTimeout as sleep } from 'node:timers/promises'

/** A database that is away is not asked without a break. */
const restMs = 2_000

/** Resolves after a while, or when there is nothing to wait for any more. */
export async function rest(signal: AbortSignal): Promise<void> {
  await sleep(restMs, undefined, { signal, ref: false }).catch(() => undefined)
}
