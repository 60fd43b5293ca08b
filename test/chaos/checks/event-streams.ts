import type { CallStatus } from '../../../src/core/kernel/call.ts'
import type { EventType } from '../../../src/core/events/event.ts'
import { mayMove, statusEvents } from '../../../src/core/call-state.ts'
import type { Evidence, LoggedEvent, StoredCall, ToolTraits, Violation } from '../evidence.ts'

const statusByEvent = new Map<string, CallStatus>(
  Object.entries(statusEvents).map(([status, type]) => [type, status as CallStatus]),
)

/** How a call may enter the record. */
const entries: readonly CallStatus[] = ['queued', 'running', 'waiting', 'denied']

/** Every call's events are numbered from 1 without gaps and tell a story that its states allow. */
export function checkEventStreams({ calls, events, tools }: Evidence): Violation[] {
  const byStream = Map.groupBy(events, ({ stream }) => stream)
  const known = new Set(calls.map(({ callId }) => callId))
  const orphaned = [...byStream]
    .filter(([stream, [first]]) => first?.isCall === true && !known.has(stream))
    .map(([stream, context]) => ({
      rule: 'events without a call',
      subject: stream,
      message: 'The log tells of a call that has no record',
      context,
    }))
  const perCall = calls.flatMap((call) => {
    const story = (byStream.get(call.callId) ?? []).toSorted((a, b) => a.seq - b.seq)
    return [
      ...checkNumbers(call, story),
      ...checkStory(call, story, tools[call.tool]),
      ...checkStarts(call, story),
    ]
  })
  return [...orphaned, ...perCall]
}

function checkNumbers(call: StoredCall, story: readonly LoggedEvent[]): Violation[] {
  const numbers = story.map(({ seq }) => seq)
  const isWhole = numbers.every((seq, index) => seq === index + 1)
  if (isWhole && numbers.length === call.lastSeq) return []
  return [
    {
      rule: 'gap in numbers',
      subject: call.callId,
      message: `Its events are numbered ${numbers.join(' ')}, and the record counts ${call.lastSeq}`,
      context: { call, story },
    },
  ]
}

function checkStory(
  call: StoredCall,
  story: readonly LoggedEvent[],
  traits: ToolTraits | undefined,
): Violation[] {
  const impossible = (message: string): Violation[] => [
    { rule: 'impossible order', subject: call.callId, message, context: { call, story } },
  ]
  const [first, ...rest] = story
  if (first?.type !== 'call.requested') return impossible(`It begins with ${first?.type}`)
  let status: CallStatus | undefined
  for (const { type } of rest) {
    if (!mayFollow(status, type, traits)) {
      return impossible(`${type} when it is ${status ?? 'just requested'}`)
    }
    status = statusByEvent.get(type) ?? status
  }
  if (status === call.status) return []
  return impossible(
    `The log leaves it ${status ?? 'just requested'}, the record says ${call.status}`,
  )
}

/** Started again without a word between: a retry, or another node that took it over. Only what may be repeated. */
function mayFollow(
  status: CallStatus | undefined,
  type: EventType,
  traits: ToolTraits | undefined,
): boolean {
  if (type === 'call.requested') return false
  if (type === 'call.output') return status === 'running'
  const next = statusByEvent.get(type)
  if (next === undefined) return true
  if (status === undefined) return entries.includes(next)
  if (status === 'running' && next === 'running') return traits?.isRepeatable !== false
  return mayMove(status, next)
}

/** An attempt is counted in the statement that logs it. A denied call counts as tried without having begun. */
function checkStarts(call: StoredCall, story: readonly LoggedEvent[]): Violation[] {
  const starts = story.filter(({ type }) => type === 'call.started').length
  if (starts >= call.attempt || (call.status === 'denied' && starts === 0)) return []
  return [
    {
      rule: 'missing event',
      subject: call.callId,
      message: `The record counts ${call.attempt} attempts, the log ${starts}`,
      context: { call, story },
    },
  ]
}
