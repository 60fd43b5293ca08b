import { callEventTypes, eventGroups } from '../../api/enums.ts'
import { toTime } from '../calls/call-filter.ts'

/** The filters of the log, as they are in the address. */
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

/** Groups of events, under the names the API uses. */
export const actionGroups: readonly { value: string; label: string }[] = [
  { value: 'calls', label: 'Calls' },
  { value: 'call.output', label: 'Output while calls run' },
  { value: 'approvals', label: 'Approvals' },
  { value: 'people', label: 'People' },
  { value: 'keys', label: 'API keys' },
  { value: 'secrets', label: 'Secrets' },
  { value: 'policy', label: 'Policy and limits' },
  { value: 'agents', label: 'Agents and skills' },
  { value: 'tools', label: 'Tools and MCP servers' },
  { value: 'tenants', label: 'Tenants' },
  { value: 'schedules', label: 'Schedules' },
  { value: 'audit', label: 'Log exports' },
]

export const outcomes: readonly { value: string; label: string }[] = [
  { value: 'completed', label: 'Completed' },
  { value: 'failed', label: 'Failed' },
  { value: 'denied', label: 'Denied' },
  { value: 'cancelled', label: 'Cancelled' },
]

/** All call events except output, which would be most of the log. */
const callTypes = callEventTypes.filter((type) => type !== 'call.output').join(',')

function toWhat(action: string | undefined): string {
  if (action === 'calls') return callTypes
  if (action !== undefined) return action
  return [callTypes, ...eventGroups.filter((group) => group !== 'calls')].join(',')
}

/** The filter as `GET /audit` takes it. The prefix of a target tells a call or session from a tool. */
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
