import type { JsonValue } from '../../api/json.ts'
import { formatDuration } from '../../ui/time.tsx'
import type { CallEvent } from './call-log.ts'

/** A line in the timeline of a call. */
export interface StoryLine {
  key: string
  title: string
  detail?: string
  at: string
  tone?: 'deny' | 'ask' | 'allow'
}

type Facts = { [key: string]: JsonValue }

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

const titles: Readonly<Record<string, string>> = {
  'call.completed': 'Completed',
  'call.failed': 'Failed',
  'call.denied': 'Denied',
  'call.cancelled': 'Cancelled',
  'approval.requested': 'Approval requested',
  'approval.granted': 'Approved',
  'approval.rejected': 'Rejected',
  'approval.expired': 'Approval expired',
  'approval.remembered': 'Approval remembered',
  'approval.notice_failed': 'Notification failed',
  'completion.late': 'Late worker report',
}

const tones: Readonly<Record<string, StoryLine['tone']>> = {
  'call.failed': 'deny',
  'call.denied': 'deny',
  'approval.rejected': 'deny',
  'approval.expired': 'deny',
  'call.waiting': 'ask',
  'approval.requested': 'ask',
  'call.completed': 'allow',
  'approval.granted': 'allow',
}

function describeEvent(event: CallEvent, describeWho: (by: string) => string): StoryLine[] {
  const facts = factsOf(event)
  const tone = tones[event.type]
  const line = (title: string, detail?: string): StoryLine => ({
    key: event.id,
    title,
    at: event.at,
    ...(detail !== undefined && detail !== '' && { detail }),
    ...(tone !== undefined && { tone }),
  })
  if (event.type === 'call.requested')
    return [line('Requested', describeRequest(facts)), ...describeVerdict(event)]
  if (event.type === 'call.queued') return [line('Queued', describeQueue(facts))]
  if (event.type === 'call.started') {
    const attempt = facts['attempt']
    return [line('Started', typeof attempt === 'number' ? `attempt ${attempt}` : undefined)]
  }
  if (event.type === 'call.waiting') return [line(waits[textOf(facts['for'])] ?? 'Waiting')]
  return [line(titles[event.type] ?? event.type, describeEnd(facts, describeWho))]
}

function describeRequest(facts: Facts): string {
  const input = facts['input']
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input)
  const count = isObject ? Object.keys(input).length : undefined
  const parts = [`through ${runtimes[textOf(facts['runtime'])] ?? 'the API'}`]
  if (count !== undefined) parts.push(count === 1 ? '1 input field' : `${count} input fields`)
  return parts.join(' · ')
}

function describeVerdict(event: CallEvent): StoryLine[] {
  const decision = factsOf(event)['decision'] as Facts | undefined
  const verdict = decisions[textOf(decision?.['verdict'])]
  if (decision === undefined || verdict === undefined) return []
  const why = [decision['rule'], decision['reasons']].flat().filter(Boolean).map(String)
  return [
    {
      key: `${event.id}-verdict`,
      title: `Policy: ${verdict}`,
      at: event.at,
      ...(why[0] !== undefined && { detail: why[0] }),
      ...(verdict === 'ask' && { tone: 'ask' as const }),
      ...(verdict === 'deny' && { tone: 'deny' as const }),
    },
  ]
}

function describeQueue(facts: Facts): string | undefined {
  const why = facts['reason'] ?? facts['error']
  if (typeof why === 'string') return why
  const error = typeof why === 'object' && why !== null ? (why as Facts)['message'] : undefined
  if (typeof error === 'string') return `again after: ${error}`
  return typeof facts['startAt'] === 'string' ? `not before ${facts['startAt']}` : undefined
}

function describeEnd(facts: Facts, describeWho: (by: string) => string): string {
  const error = facts['error'] as Facts | undefined
  const reasons = facts['reasons']
  const by = textOf(facts['by'])
  const parts = [
    by === '' ? undefined : `by ${describeWho(by)}`,
    facts['isEdited'] === true ? 'input edited' : undefined,
    typeof error?.['message'] === 'string' ? error['message'] : undefined,
    typeof facts['durationMs'] === 'number' ? formatDuration(facts['durationMs']) : undefined,
    typeof facts['outputBytes'] === 'number' ? `${facts['outputBytes']} bytes` : undefined,
    typeof facts['cost'] === 'number' ? `cost ${facts['cost']}` : undefined,
    typeof facts['reason'] === 'string' ? facts['reason'] : undefined,
    Array.isArray(reasons) ? reasons.map(String).join('; ') : undefined,
  ]
  return parts.filter((part) => part !== undefined && part !== '').join(' · ')
}

function describeOutput(event: CallEvent, outputs: number): StoryLine {
  const progress = factsOf(event)['progress'] as Facts | undefined
  const { done, total, message } = progress ?? {}
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

function factsOf({ data }: CallEvent): Facts {
  return typeof data === 'object' && data !== null && !Array.isArray(data) ? data : {}
}
