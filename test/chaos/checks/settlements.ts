import { isSettled, statusEvents } from '../../../src/core/call-state.ts'
import { settledEventTypes } from '../../../src/core/crib-api.ts'
import type { Evidence, LoggedEvent, StoredCall, Violation } from '../evidence.ts'

/** Every call ended, exactly once, and the log tells the same end as the record. */
export function checkSettlements({ calls, events }: Evidence): Violation[] {
  const byCall = Map.groupBy(events, ({ stream }) => stream)
  return calls.flatMap((call) => checkCall(call, byCall.get(call.callId) ?? []))
}

const ends: readonly string[] = settledEventTypes

function checkCall(call: StoredCall, events: readonly LoggedEvent[]): Violation[] {
  const found: Violation[] = []
  const add = (rule: string, message: string) =>
    found.push({ rule, subject: call.callId, message, context: { call, events } })
  const settled = events.filter(({ type }) => ends.includes(type))
  if (settled.length > 1) add('settled twice', `The log has ${settled.length} ends`)
  if (isSettled(call.status) !== call.hasSettledAt) {
    add('half settled', `It is ${call.status} and ${call.hasSettledAt ? 'has' : 'lacks'} an end`)
  }
  if (!isSettled(call.status)) {
    if (call.status !== 'waiting') add('never settled', `It is still ${call.status}`)
    if (settled.length > 0) add('unsettled again', 'The log has an end, the record has none')
    return found
  }
  const [end] = settled
  if (end === undefined) add('end without event', `It is ${call.status} and the log says nothing`)
  else if (end.type !== statusEvents[call.status]) {
    add('other end', `It is ${call.status}, the log says ${end.type}`)
  } else if (errorCode(end) !== call.error?.code) {
    add('other end', `Its error is ${call.error?.code}, the log says ${errorCode(end)}`)
  }
  return found
}

function errorCode({ data }: LoggedEvent): string | undefined {
  const { error } = (data ?? {}) as { error?: { code?: string } }
  return error?.code
}
