import type { Api } from '../../api/client.ts'
import { fieldsOf } from '../../api/event-fields.ts'
import type { JsonValue } from '../../api/json.ts'

/** An event of a call, whichever version wrote its payload. */
export type CallEvent = Pick<Api<'Event'>, 'id' | 'seq' | 'at' | 'type'> & { data?: JsonValue }

export interface LoggedProgress {
  done?: number
  total?: number
  message?: string
}

/** The events of a call so far. */
export interface CallLog {
  /** All events, except older output; oldest first. */
  events: readonly CallEvent[]
  /** The number of output events that were dropped. */
  leftOut: number
  outputs: number
  progress: LoggedProgress | undefined
  /** The text written so far. */
  text: string
  partial: JsonValue | undefined
}

export const emptyLog: CallLog = {
  events: [],
  leftOut: 0,
  outputs: 0,
  progress: undefined,
  text: '',
  partial: undefined,
}

const mostEvents = 1000
/** Of a long text, the end is kept: that is what a person watches. */
const mostText = 200_000

/** The log with these events added. Known events are skipped: a resumed stream may repeat some. */
export function withCallEvents(before: CallLog, events: readonly CallEvent[]): CallLog {
  const lastSeq = before.events.at(-1)?.seq ?? 0
  const added = events.filter(({ seq }) => seq > lastSeq)
  if (added.length === 0) return before
  const outputs = added.filter(({ type }) => type === 'call.output')
  const all = [...before.events, ...added]
  const kept = all.length > mostEvents ? thinned(all) : all
  return {
    events: kept,
    leftOut: before.leftOut + all.length - kept.length,
    outputs: before.outputs + outputs.length,
    ...outputs.reduce(withOutput, {
      progress: before.progress,
      text: before.text,
      partial: before.partial,
    }),
  }
}

type Running = Pick<CallLog, 'progress' | 'text' | 'partial'>

function withOutput(before: Running, event: CallEvent): Running {
  const { partial, progress: report } = fieldsOf(event)
  if (partial !== undefined) return { ...before, partial }
  if (typeof report !== 'object' || report === null || Array.isArray(report)) return before
  const { text, ...progress } = report as LoggedProgress & { text?: string }
  return {
    ...before,
    text: text === undefined ? before.text : (before.text + text).slice(-mostText),
    progress:
      Object.keys(progress).length === 0 ? before.progress : { ...before.progress, ...progress },
  }
}

/** Drops the oldest output events and keeps state changes. */
function thinned(events: readonly CallEvent[]): CallEvent[] {
  let surplus = events.length - mostEvents
  return events.filter(({ type }) => {
    if (surplus <= 0 || type !== 'call.output') return true
    surplus -= 1
    return false
  })
}
