import { type EventFields, type EventType, fieldsOf } from '../../api/event-fields.ts'
import type { JsonObject, JsonValue } from '../../api/json.ts'
import { formatDuration } from '../../ui/format/format-duration.ts'
import type { CallEvent } from './call-log.ts'

/** A line in the timeline of a call. */
export interface StoryLine {
  key: string
  title: string
  detail?: string
  at: string
  tone?: 'deny' | 'ask' | 'allow'
}

/** The events of a call as readable lines. Output events are merged into one line. */
export function toStory(
  events: readonly CallEvent[],
  outputs: number,
  describeWho: (by: string) => string = (by) => by,
): StoryLine[] {
  const lastOutput = events.findLast(({ type }) => type === 'call.output')
  return events.flatMap((event): StoryLine[] => {
    if (event.type === 'call.output') {
      return event === lastOutput ? [describeOutput(event, outputs)] : []
    }
    return describeEvent(event, describeWho)
  })
}

const decisions: Readonly<Record<string, string>> = { allow: 'allow', ask: 'ask', deny: 'deny' }

const waits: Readonly<Record<string, string>> = {
  approval: 'Waiting for approval',
  external: 'Waiting for an external worker',
  call: 'Waiting for a nested call',
}

/** The runtime a call came from. */
export const runtimes: Readonly<Record<string, string>> = {
  chat: 'a chat',
  task: 'an agent task',
  subagent: 'another agent',
  room: 'a room',
  webhook: 'a webhook',
  api: 'the API',
  web: 'the console',
  mcp: 'an MCP client',
  cli: 'the command line',
}

const titles: Partial<Record<EventType, string>> = {
  'call.completed': 'Completed',
  'call.failed': 'Failed',
  'call.denied': 'Denied',
  'call.cancelled': 'Cancelled',
  'approval.requested': 'Approval requested',
  'approval.granted': 'Approved',
  'approval.rejected': 'Rejected',
  'approval.expired': 'Approval expired',
  'approval.remembered': 'Approval remembered',
  'question.asked': 'Question asked',
  'question.answered': 'Answered',
  'question.declined': 'Declined to answer',
  'question.expired': 'Question expired',
  'question.reminded': 'Reminder sent',
  'question.reassigned': 'Question reassigned',
  'approval.notice_failed': 'Notification failed',
  'completion.late': 'Late worker report',
}

const tones: Partial<Record<EventType, StoryLine['tone']>> = {
  'call.failed': 'deny',
  'call.denied': 'deny',
  'approval.rejected': 'deny',
  'approval.expired': 'deny',
  'call.waiting': 'ask',
  'approval.requested': 'ask',
  'question.asked': 'ask',
  'question.answered': 'allow',
  'question.declined': 'deny',
  'question.expired': 'deny',
  'call.completed': 'allow',
  'approval.granted': 'allow',
}

function describeEvent(event: CallEvent, describeWho: (by: string) => string): StoryLine[] {
  const tone = tones[event.type]
  const line = (title: string, detail?: string): StoryLine => ({
    key: event.id,
    title,
    at: event.at,
    ...(detail !== undefined && detail !== '' && { detail }),
    ...(tone !== undefined && { tone }),
  })
  const facts = fieldsOf(event)
  if (event.type === 'call.requested')
    return [line('Requested', describeRequest(facts)), ...describeVerdict(event)]
  if (event.type === 'call.queued') return [line('Queued', describeQueue(facts))]
  if (event.type === 'call.started') {
    const { attempt } = facts
    return [line('Started', typeof attempt === 'number' ? `attempt ${attempt}` : undefined)]
  }
  if (event.type === 'call.waiting') return [line(waits[textOf(facts.for)] ?? 'Waiting')]
  return [line(titles[event.type] ?? event.type, describeEnd(facts, describeWho))]
}

function describeRequest({ input, runtime }: EventFields<'call.requested'>): string {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input)
  const count = isObject ? Object.keys(input).length : undefined
  const parts = [`through ${runtimes[textOf(runtime)] ?? 'the API'}`]
  if (count !== undefined) parts.push(count === 1 ? '1 input field' : `${count} input fields`)
  return parts.join(' · ')
}

function describeVerdict(event: CallEvent): StoryLine[] {
  const { verdict: decided, rule } = objectOf(fieldsOf(event).decision)
  const verdict = decisions[textOf(decided)]
  if (verdict === undefined) return []
  return [
    {
      key: `${event.id}-verdict`,
      title: `Policy: ${verdict}`,
      at: event.at,
      ...(textOf(rule) !== '' && { detail: textOf(rule) }),
      ...(verdict === 'ask' && { tone: 'ask' as const }),
      ...(verdict === 'deny' && { tone: 'deny' as const }),
    },
  ]
}

function describeQueue({ reason, code, startAt }: EventFields<'call.queued'>): string | undefined {
  if (typeof reason === 'string') return code === undefined ? reason : `again after: ${reason}`
  return typeof startAt === 'string' ? `not before ${startAt}` : undefined
}

function describeEnd(facts: EventFields, describeWho: (by: string) => string): string {
  const { isEdited, durationMs, outputBytes, cost, reasons } = facts
  const by = textOf(facts.by)
  const parts = [
    by === '' ? undefined : `by ${describeWho(by)}`,
    isEdited === true ? 'input edited' : undefined,
    textOf(objectOf(facts.error)['message']),
    typeof durationMs === 'number' ? formatDuration(durationMs) : undefined,
    typeof outputBytes === 'number' ? `${outputBytes} bytes` : undefined,
    typeof cost === 'number' ? `cost ${cost}` : undefined,
    textOf(facts.reason),
    Array.isArray(reasons) ? reasons.map(String).join('; ') : undefined,
  ]
  return parts.filter((part) => part !== undefined && part !== '').join(' · ')
}

function describeOutput(event: CallEvent, outputs: number): StoryLine {
  const { done, total, message } = objectOf(fieldsOf(event).progress)
  const parts = [
    typeof done === 'number' && typeof total === 'number' ? `${done} of ${total}` : undefined,
    typeof message === 'string' ? message : undefined,
    outputs > 1 ? `${outputs} reports` : undefined,
  ].filter((part) => part !== undefined)
  return { key: 'output', title: 'Output', at: event.at, detail: parts.join(' · ') }
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
}
