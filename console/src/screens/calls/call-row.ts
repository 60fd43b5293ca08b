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

/** The row of a call that was just asked for; undefined for every other event. */
export function fromRequest(event: LiveEvent): CallRow | undefined {
  const { callId, type, at, sessionId } = event
  const facts = factsOf(event)
  if (type !== 'call.requested' || callId === undefined) return undefined
  if (typeof facts['tool'] !== 'string') return undefined
  return {
    callId,
    tool: facts['tool'],
    // What follows at once says whether it runs, is queued or waits.
    status: 'queued',
    principal: event['principal'] as Api<'Principal'>,
    runtime: textOr(facts['runtime'], 'api'),
    requestedAt: at,
    ...(typeof event['agent'] === 'string' && { agent: event['agent'] }),
    ...(sessionId !== undefined && { sessionId }),
    ...(typeof facts['parentId'] === 'string' && { parentId: facts['parentId'] }),
  }
}

const ends: Readonly<Record<string, CallStatus>> = {
  'call.completed': 'completed',
  'call.failed': 'failed',
  'call.denied': 'denied',
  'call.cancelled': 'cancelled',
}

/** What an event changes of a row, or undefined where it changes nothing that is shown. */
export function changeBy(event: LiveEvent): Partial<CallRow> | undefined {
  const facts = factsOf(event)
  if (event.type === 'call.queued') return { status: 'queued' }
  if (event.type === 'call.started') return { status: 'running', startedAt: event.at }
  if (event.type === 'call.waiting') {
    return { status: 'waiting', waitingFor: textOr(facts['for'], 'external') }
  }
  const status = ends[event.type]
  if (status === undefined) return undefined
  const error = facts['error'] as { code?: string; message?: string } | undefined
  return {
    status,
    settledAt: event.at,
    ...(error?.code !== undefined && { errorCode: error.code }),
    ...(error?.message !== undefined && { errorMessage: error.message }),
    ...(typeof facts['cost'] === 'number' && { cost: facts['cost'] }),
  }
}

/** How long it ran, or has run until now; undefined before it began. */
export function ranMs({ startedAt, settledAt }: CallRow, now: number): number | undefined {
  if (startedAt === undefined) return undefined
  const end = settledAt === undefined ? now : Date.parse(settledAt)
  return Math.max(0, end - Date.parse(startedAt))
}

function factsOf(event: LiveEvent): Record<string, unknown> {
  const data = event['data']
  return typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {}
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise
}
