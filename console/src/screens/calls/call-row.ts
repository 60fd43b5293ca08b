import type { Api } from '../../api/client.ts'
import type { LiveEvent } from '../../live/live-events.ts'

export type CallStatus = Api<'CallRecord'>['status']

/** What a list shows of a call: the same whether the list or the event log told of it. */
export interface CallRow {
  callId: string
  tool: string
  status: CallStatus
  principal: Api<'Principal'>
  runtime: string
  requestedAt: string
  agent?: string
  sessionId?: string
  parentId?: string
  waitingFor?: string
  startedAt?: string
  settledAt?: string
  errorCode?: string
  errorMessage?: string
  cost?: number
}

export function toCallRow(call: Api<'CallRecord'>): CallRow {
  return {
    callId: call.callId,
    tool: call.tool,
    status: call.status,
    principal: call.principal,
    runtime: call.runtime,
    requestedAt: call.requestedAt,
    ...(call.agent !== undefined && { agent: call.agent }),
    ...(call.sessionId !== undefined && { sessionId: call.sessionId }),
    ...(call.parentId !== undefined && { parentId: call.parentId }),
    ...(call.waitingFor !== undefined && { waitingFor: call.waitingFor }),
    ...(call.startedAt !== undefined && { startedAt: call.startedAt }),
    ...(call.settledAt !== undefined && { settledAt: call.settledAt }),
    ...(call.error !== undefined && {
      errorCode: call.error.code,
      errorMessage: call.error.message,
    }),
    ...(call.cost !== undefined && { cost: call.cost }),
  }
}

const ends: Readonly<Record<string, CallStatus>> = {
  'call.completed': 'completed',
  'call.failed': 'failed',
  'call.denied': 'denied',
  'call.cancelled': 'cancelled',
}

/** What the log says of a call without its being read. */
export type CallChange = Pick<CallRow, 'status'> & Pick<Partial<CallRow>, 'startedAt' | 'settledAt'>

/** What an event changes of a row, or undefined where it changes nothing that is shown. */
export function changeBy({ type, at }: LiveEvent): CallChange | undefined {
  if (type === 'call.queued') return { status: 'queued' }
  if (type === 'call.started') return { status: 'running', startedAt: at }
  if (type === 'call.waiting') return { status: 'waiting' }
  const status = ends[type]
  return status === undefined ? undefined : { status, settledAt: at }
}

/** A row with what the log said of it since. What has ended stays ended, however late the word comes. */
export function changed(row: CallRow, change: CallChange | undefined): CallRow {
  if (change === undefined || row.settledAt !== undefined) return row
  return { ...row, ...change }
}

/** How long it ran, or has run until now; undefined before it began. */
export function ranMs({ startedAt, settledAt }: CallRow, now: number): number | undefined {
  if (startedAt === undefined) return undefined
  const end = settledAt === undefined ? now : Date.parse(settledAt)
  return Math.max(0, end - Date.parse(startedAt))
}
