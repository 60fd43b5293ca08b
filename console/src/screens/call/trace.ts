import type { EventType } from '../../api/event-fields.ts'
import type { Api } from '../../api/client.ts'
import type { CallEvent } from './call-log.ts'

export type Phase = 'queued' | 'running' | 'waiting'

/** A period in which a call was in one state. */
export interface Segment {
  phase: Phase
  fromMs: number
  toMs: number
}

export interface TraceRow {
  call: Api<'CallRecord'>
  depth: number
  segments: readonly Segment[]
  /** From the request to the end, or to now. */
  tookMs: number
}

export interface Trace {
  rows: readonly TraceRow[]
  fromMs: number
  toMs: number
}

interface TraceParts {
  call: Api<'CallRecord'>
  /** All nested calls, oldest first. */
  nested: readonly Api<'CallRecord'>[]
  events: readonly CallEvent[]
  now: number
}

/** The call and all nested calls on one timeline. */
export function toTrace({ call, nested, events, now }: TraceParts): Trace {
  const told = toSegments(events, endOf(call, now))
  const own = told.length > 0 ? told : fromTimes(call, now)
  const rows = [
    toRow(call, { depth: 0, segments: own, now }),
    ...childrenOf(call.callId, { nested, depth: 1, now }),
  ]
  const fromMs = Date.parse(call.requestedAt)
  const toMs = Math.max(fromMs + 1, ...rows.map((row) => endOf(row.call, now)))
  return { rows, fromMs, toMs }
}

const deepest = 12

function childrenOf(
  parentId: string,
  { nested, depth, now }: { nested: readonly Api<'CallRecord'>[]; depth: number; now: number },
): TraceRow[] {
  if (depth > deepest) return []
  return nested
    .filter((call) => call.parentId === parentId)
    .flatMap((call) => [
      toRow(call, { depth, segments: fromTimes(call, now), now }),
      ...childrenOf(call.callId, { nested, depth: depth + 1, now }),
    ])
}

function toRow(
  call: Api<'CallRecord'>,
  { depth, segments, now }: { depth: number; segments: readonly Segment[]; now: number },
): TraceRow {
  return { call, depth, segments, tookMs: endOf(call, now) - Date.parse(call.requestedAt) }
}

function endOf({ settledAt, requestedAt }: Api<'CallRecord'>, now: number): number {
  return settledAt === undefined ? Math.max(now, Date.parse(requestedAt)) : Date.parse(settledAt)
}

const phases: Partial<Record<EventType, Phase>> = {
  'call.requested': 'queued',
  'call.queued': 'queued',
  'call.started': 'running',
  'call.waiting': 'waiting',
}

/** Segments from the event log: every attempt and every wait. */
export function toSegments(events: readonly CallEvent[], endMs: number): Segment[] {
  const moves = events.filter(({ type }) => phases[type] !== undefined)
  return moves
    .map(({ type, at }, index) => ({
      phase: phases[type] ?? 'queued',
      fromMs: Date.parse(at),
      toMs: Date.parse(moves[index + 1]?.at ?? '') || endMs,
    }))
    .filter(hasLength)
}

/** Segments from the call record, used without its event log. */
function fromTimes(call: Api<'CallRecord'>, now: number): Segment[] {
  const requestedMs = Date.parse(call.requestedAt)
  const startedMs = call.startedAt === undefined ? undefined : Date.parse(call.startedAt)
  const before: Phase = call.status === 'waiting' ? 'waiting' : 'queued'
  const segments: Segment[] = [
    { phase: before, fromMs: requestedMs, toMs: startedMs ?? endOf(call, now) },
  ]
  if (startedMs !== undefined) {
    const phase = call.status === 'waiting' ? 'waiting' : 'running'
    segments.push({ phase, fromMs: startedMs, toMs: endOf(call, now) })
  }
  // Keeps a segment visible that is shorter than the clock's resolution.
  const seen = segments.filter(hasLength)
  return seen.length > 0 ? seen : segments.slice(-1)
}

function hasLength({ fromMs, toMs }: Segment): boolean {
  return toMs > fromMs
}

/** The duration of each phase, as text for screen readers. */
export function sumPhases(segments: readonly Segment[]): Partial<Record<Phase, number>> {
  const sums: Partial<Record<Phase, number>> = {}
  for (const { phase, fromMs, toMs } of segments) {
    sums[phase] = (sums[phase] ?? 0) + toMs - fromMs
  }
  return sums
}
