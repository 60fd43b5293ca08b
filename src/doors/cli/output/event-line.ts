import type { EventFrame, EventType } from '../../../core/events/event.ts'
import { fieldsOf, type LooseFields } from '../../../core/events/fields-of.ts'
import { isRecord } from '../../../core/kernel/json/json-type.ts'
import { errorWords } from './error-words.ts'
import { toSafeLine } from './safe-text.ts'
import type { Format, Style } from './screen.ts'
import { truncate, widthOf } from './text-width.ts'

/** An event as a server sends it, which may be of another version. */
export interface ShownEvent extends EventFrame {
  type: EventType
  data: unknown
}

/** One event on one line: time, type, tool and call, who, and the fact that matters most. */
export function toEventLine(event: ShownEvent, look: { style: Style; width: number }): string {
  const head = [
    { text: toTime(event.at), format: 'dim' },
    { text: event.type.padEnd(16), format: formatOf(event.type) },
    { text: shortCall(event.callId), format: 'dim' },
    { text: toSafeLine(nameOf(event)), format: 'cyan' },
    { text: toSafeLine(whoOf(event)), format: 'dim' },
  ] as const
  const shown = head.filter(({ text }) => text !== '')
  const used = shown.reduce((sum, { text }) => sum + widthOf(text) + 1, 0)
  const fact = truncate(toSafeLine(factOf(event)), Math.max(look.width - used, 10))
  return [...shown.map(({ text, format }) => look.style(format, text)), fact].join(' ').trimEnd()
}

const formats: Partial<Record<EventType, Format>> = {
  'call.completed': 'green',
  'call.failed': 'red',
  'call.denied': 'red',
  'call.cancelled': 'yellow',
  'call.waiting': 'yellow',
  'call.output': 'blue',
  'tool.quarantined': 'red',
  'schedule.disabled': 'red',
  'approval.granted': 'green',
  'approval.rejected': 'red',
  'approval.expired': 'red',
  'approval.notice_failed': 'red',
}

function formatOf(type: EventType): Format {
  return formats[type] ?? (type.startsWith('call.') ? 'cyan' : 'magenta')
}

/** Local time, to the millisecond: the date is in the JSON for who needs it. */
function toTime(at: string): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return toSafeLine(at)
  const [hours, minutes, seconds] = [date.getHours(), date.getMinutes(), date.getSeconds()].map(
    twoDigits,
  )
  return `${hours}:${minutes}:${seconds}.${String(date.getMilliseconds()).padStart(3, '0')}`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

/** The end of the id: its beginning is the time, which neighbours share. */
function shortCall(callId: string | undefined): string {
  return callId === undefined ? '' : `…${toSafeLine(callId.slice(-8))}`
}

function nameOf(event: ShownEvent): string {
  const { tool, name } = fieldsOf(event)
  return textOf(tool) ?? textOf(name) ?? ''
}

function whoOf({ principal, agent }: ShownEvent): string {
  const who = `${principal.kind}:${principal.id}`
  return agent === undefined ? who : `${who} as ${agent}`
}

function factOf(event: ShownEvent): string {
  const { data } = event
  if (data === null || data === undefined) return ''
  if (!isRecord(data)) return JSON.stringify(data)
  const facts = fieldsOf(event)
  const { error, reason } = facts
  if (error !== undefined) {
    const { code, message } = isRecord(error) ? error : {}
    return errorWords(textOf(code) ?? '', textOf(message) ?? '', ' ')
  }
  return textOf(reason) ?? toFacts(facts)
}

function toFacts(facts: LooseFields): string {
  const parts = factKeys
    .filter((key) => facts[key] !== undefined)
    .map((key) => JSON.stringify(facts[key]))
  const { durationMs } = facts
  if (typeof durationMs === 'number') parts.unshift(`${durationMs} ms`)
  if (parts.length > 0) return parts.join(' ')
  const rest = Object.entries(facts).filter(([key]) => key !== 'tool' && key !== 'name')
  return rest.length === 0 ? '' : JSON.stringify(Object.fromEntries(rest))
}

/** The facts that readers look for in an event. */
const factKeys = [
  'input',
  'output',
  'partial',
  'progress',
] as const satisfies readonly (keyof LooseFields)[]

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
