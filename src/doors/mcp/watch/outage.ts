import { setTimeout as sleep } from 'node:timers/promises'
import { isToolError } from '../../../core/errors.ts'

/** A database that is away is not asked without a break. */
const restMs = 2_000

/** Does the store not answer for now? Then what could not be looked at is looked at later. */
export function isOutage(error: unknown): boolean {
  return isToolError(error) && error.code === 'store_unavailable'
}

/** Resolves after a while, or when there is nothing to wait for any more. */
export async function rest(signal: AbortSignal): Promise<void> {
  await sleep(restMs, undefined, { signal, ref: false }).catch(() => undefined)
}
