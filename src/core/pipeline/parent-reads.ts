import type { CallLog, StoredCall } from '../call-log.ts'

type ParentLog = Pick<CallLog, 'findWithInput'>
type Reads = Map<string, Promise<StoredCall | undefined>>

/** The input of a parent may hold a secret, so it is not kept for longer than a burst lasts. */
const sharedForMs = 100

const readsOf = new WeakMap<ParentLog, Reads>()

/**
 * Reads parent calls once for all calls of theirs that start together: the items of a list would
 * otherwise each read the same one. Its tool, input and parent no longer change once it makes calls.
 */
export function shareParentReads(calls: ParentLog): Pick<CallLog, 'find' | 'findWithInput'> {
  const reads = readsOf.get(calls) ?? new Map()
  readsOf.set(calls, reads)
  const findWithInput: ParentLog['findWithInput'] = (tenant, callId) => {
    const key = `${tenant} ${callId}`
    const known = reads.get(key)
    if (known !== undefined) return known
    const reading = calls.findWithInput(tenant, callId)
    reads.set(key, reading)
    const forget = () => reads.delete(key)
    reading.then(() => setTimeout(forget, sharedForMs).unref(), forget)
    return reading
  }
  return { find: findWithInput, findWithInput }
}
