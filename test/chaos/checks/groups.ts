import { isSettled } from '../../../src/core/pipeline/call-state.ts'
import { isDeepStrictEqual } from 'node:util'
import type { Evidence, GroupFact, Violation } from '../evidence.ts'

/** A sealed group whose members have all settled goes on once, with their results in the order they were made. */
export function checkGroups({ groups, calls }: Evidence): Violation[] {
  const settled = new Set(
    calls.filter(({ status }) => isSettled(status)).map(({ callId }) => callId),
  )
  return groups.flatMap((group) => checkGroup(group, settled))
}

function checkGroup(group: GroupFact, settled: ReadonlySet<string>): Violation[] {
  const { groupId, isSealed, members, continuations } = group
  const violation = (rule: string, message: string): Violation => ({
    rule,
    subject: groupId,
    message,
    context: group,
  })
  const isReady = isSealed && members.every((member) => settled.has(member))
  if (continuations.length > 1) {
    return [violation('continued twice', `It went on ${continuations.length} times`)]
  }
  const [only] = continuations
  if (only === undefined) {
    return isReady ? [violation('never continued', 'All have settled and it did not go on')] : []
  }
  if (!isReady) return [violation('continued early', 'It went on before all had settled')]
  if (isDeepStrictEqual(only.results, members)) return []
  return [violation('results out of order', 'The results are not those of its members, in order')]
}
