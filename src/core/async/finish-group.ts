import type { GroupStore } from './group-store.ts'
import type { GroupRecord } from './group.ts'

/**
 * About two seconds: finished work must not be repeated because the store did not answer at once.
 */
const leastTries = 5
/** About half a minute, while the group is still ours and nobody stops us. */
const mostTries = 30
const firstDelayMs = 200
const longestDelayMs = 1000

/**
 * Marks a group as continued by this attempt; false if it was another's. A broken connection may
 * have lost the answer, so the store is asked again, and knows whose mark it has.
 */
export async function finishGroup(
  { tenant, groupId, attempt }: Pick<GroupRecord, 'tenant' | 'groupId' | 'attempt'>,
  { store, signal }: { store: Pick<GroupStore, 'finish' | 'find'>; signal: AbortSignal },
): Promise<boolean> {
  for (let tried = 1; ; tried += 1) {
    try {
      if (await store.finish(tenant, groupId, attempt)) return true
      const group = await store.find(tenant, groupId)
      return group?.continuedAt !== undefined && group.attempt === attempt
    } catch (error) {
      if (tried >= (signal.aborted ? leastTries : mostTries)) throw error
      const delayMs = Math.min(tried * firstDelayMs, longestDelayMs)
      await new Promise((resolve) => setTimeout(resolve, delayMs))
    }
  }
}
