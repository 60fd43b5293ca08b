import { toTime } from '../calls/call-filter.ts'

/** What the log is narrowed by, as it stands in the address. */
export interface AuditFilter {
  q?: string
  actor?: string
  action?: string
  target?: string
  agent?: string
  outcome?: string
  from?: string
  to?: string
}

/** Groups of events, by the word that the API has for them. */
export const actionGroups: readonly { value: string; label: string }[] = [
  { value: 'calls', label: 'Calls' },
  { value: 'call.output', label: 'Running output of calls' },
  { value: 'approvals', label: 'Approvals' },
  { value: 'people', label: 'People' },
  { value: 'keys', label: 'API keys' },
  { value: 'secrets', label: 'Secrets' },
  { value: 'policy', label: 'Policy and limits' },
  { value: 'agents', label: 'Agents and skills' },
  { value: 'tools', label: 'Tools and MCP servers' },
  { value: 'tenants', label: 'Tenants' },
  { value: 'schedules', label: 'Schedules' },
  { value: 'audit', label: 'Copies of the log' },
]

export const outcomes: readonly { value: string; label: string }[] = [
  { value: 'completed', label: 'Completed' },
  { value: 'failed', label: 'Failed' },
  { value: 'denied', label: 'Denied' },
  { value: 'cancelled', label: 'Cancelled' },
]

/** All that is told of calls, but not what they said while they ran: that would be most of the log. */
const callTypes = [
  'call.requested',
  'call.queued',
  'call.started',
  'call.waiting',
  'call.completed',
  'call.failed',
  'call.denied',
  'call.cancelled',
  'call.refused',
  'completion.late',
  'group.sealed',
  'group.settled',
  'group.continued',
].join(',')

function toWhat(action: string | undefined): string {
  if (action === 'calls') return callTypes
  if (action !== undefined) return action
  const others = actionGroups.map(({ value }) => value).filter((value) => !value.includes('.'))
  return [callTypes, ...others.filter((value) => value !== 'calls')].join(',')
}

/** As `GET /audit` takes it. A target is a call, a session or a tool, as its id says. */
export function toAuditQuery(filter: AuditFilter, now: number) {
  const { q, actor, action, target, agent } = filter
  const outcome = outcomes.find(({ value }) => value === filter.outcome)?.value
  const from = toTime(filter.from, now)
  const to = toTime(filter.to, now)
  return {
    ...(q !== undefined && { text: q }),
    ...(actor !== undefined && { who: actor }),
    what: toWhat(action),
    ...(target !== undefined && toTarget(target)),
    ...(agent !== undefined && { agent }),
    ...(outcome !== undefined && { outcome }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  }
}

function toTarget(target: string) {
  if (target.startsWith('call_')) return { callId: target }
  if (/^(?:conv|ses)_/.test(target)) return { sessionId: target }
  return { tool: target }
}
