import { checkAcknowledgements } from './checks/acknowledgements.ts'
import { checkDecisions } from './checks/decisions.ts'
import { checkEffects } from './checks/effects.ts'
import { checkEventStreams } from './checks/event-streams.ts'
import { checkFeed } from './checks/feed.ts'
import { checkGroups } from './checks/groups.ts'
import { checkSchedules } from './checks/schedules.ts'
import { checkSettlements } from './checks/settlements.ts'
import type { Evidence, Violation } from './evidence.ts'

const checks = [
  checkAcknowledgements,
  checkEffects,
  checkSettlements,
  checkEventStreams,
  checkFeed,
  checkDecisions,
  checkGroups,
  checkSchedules,
]

/** Everything in the evidence that must not be. Nothing to look at is no proof: then it throws. */
export function checkEvidence(evidence: Evidence): Violation[] {
  for (const part of ['answers', 'effects', 'calls', 'events', 'followed', 'streamed'] as const) {
    if (evidence[part].length === 0) throw new Error(`There are no ${part} to check`)
  }
  return checks.flatMap((check) => check(evidence))
}
