import { isDeepStrictEqual } from 'node:util'
import { isSettled } from '../../../src/core/call-state.ts'
import type { Evidence, GroupFact, StoredCall, Violation } from '../evidence.ts'

/** A sealed group whose members have all settled goes on once, with their results in the order they were made. */
export function checkGroups({ groups, calls }: Evidence): Violation[] {
  const byId = new Map(calls.map((call) => [call.callId, call]))
  return groups.flatMap((group) => {
    const found = [checkContinuation(group, byId), checkCounts(group, byId), checkEvents(group)]
    return found
      .filter((finding) => finding !== undefined)
      .map(([rule, message]) => ({ rule, message, subject: group.groupId, context: group }))
  })
}

type Finding = readonly [rule: string, message: string] | undefined

function checkContinuation(group: GroupFact, byId: ReadonlyMap<string, StoredCall>): Finding {
  const { isSealed, isContinued, members, continuations } = group
  const isReady = isSealed && members.every((member) => hasEnded(byId.get(member)))
  const whole = continuations.filter(({ isCutOff }) => isCutOff !== true)
  if (whole.length > 1) return ['continued twice', `It went on ${whole.length} times`]
  if (isReady) return checkReady(group)
  if (continuations.length === 0 && !isContinued) return undefined
  return ['continued early', 'It went on before all had settled']
}

function checkReady({ isContinued, hasLostWaiter, members, continuations }: GroupFact): Finding {
  if (!isContinued)
    return ['never continued', 'All have settled, and the record lacks that it went on']
  // Whoever waited was told once; what became of it then is its own affair.
  if (continuations.length === 0 && !hasLostWaiter) {
    return ['never continued', 'All have settled and it did not go on']
  }
  if (continuations.every(({ results }) => isDeepStrictEqual(results, members))) return undefined
  return ['results out of order', 'The results are not those of its members, in order']
}

function checkCounts(
  { counted, members }: GroupFact,
  byId: ReadonlyMap<string, StoredCall>,
): Finding {
  const known = members.map((member) => byId.get(member))
  const actual = {
    members: members.length,
    pending: known.filter((call) => !hasEnded(call)).length,
    failed: known.filter((call) => hasEnded(call) && call?.status !== 'completed').length,
  }
  if (isDeepStrictEqual(counted, actual)) return undefined
  return [
    'wrong count',
    `It counts ${JSON.stringify(counted)}, there are ${JSON.stringify(actual)}`,
  ]
}

function checkEvents({ isSealed, isContinued, counted, events }: GroupFact): Finding {
  const expected = [
    ...(isSealed ? ['group.sealed'] : []),
    ...(isSealed && counted.pending === 0 ? ['group.settled'] : []),
    ...(isContinued ? ['group.continued'] : []),
  ]
  if (isDeepStrictEqual(events, expected)) return undefined
  return [
    'missing event',
    `The log tells ${events.join(', ')} of it and not ${expected.join(', ')}`,
  ]
}

function hasEnded(call: StoredCall | undefined): boolean {
  return call !== undefined && isSettled(call.status)
}
