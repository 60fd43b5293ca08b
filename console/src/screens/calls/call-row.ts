import type { Api } from '../../api/client.ts'
import type { LiveEvent, LiveFacts } from '../../live/live-events.ts'

export type CallStatus = Api<'CallRecord'>['status']

/** A row of the call list, from the API or from the event log. */
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

/** A row from the event that reported the call. */
export type CallChange = Pick<CallRow, 'status'> &
  Pick<Partial<CallRow>, 'startedAt' | 'settledAt' | 'waitingFor' | 'errorCode' | 'cost'>

/** How an event changes a row; undefined if it changes nothing shown. */
export function changeBy(
  event: Pick<LiveEvent, 'type' | 'at'> & { data?: unknown },
): CallChange | undefined {
  const { type, at } = event
  const facts = (event.data ?? {}) as LiveFacts
  if (type === 'call.queued') return { status: 'queued' }
  if (type === 'call.started') return { status: 'running', startedAt: at }
  if (type === 'call.waiting') {
    return { status: 'waiting', ...(facts.for !== undefined && { waitingFor: facts.for }) }
  }
  const status = ends[type]
  if (status === undefined) return undefined
  return {
    status,
    settledAt: at,
    ...(facts.error !== undefined && { errorCode: facts.error.code }),
    ...(facts.cost !== undefined && { cost: facts.cost }),
  }
}

/** A row with later events applied. A settled call stays settled, even if an older event arrives late. */
export function changed(row: CallRow, change: CallChange | undefined): CallRow {
  if (change === undefined || row.settledAt !== undefined) return row
  return { ...row, ...change }
}

/** How long the call ran, or has run so far; undefined before it started. */
export function ranMs({ startedAt, settledAt }: CallRow, now: number): number | undefined {
  if (startedAt === undefined) return undefined
  const end = settledAt === undefined ? now : Date.parse(settledAt)
  return Math.max(0, end - Date.parse(startedAt))
}
