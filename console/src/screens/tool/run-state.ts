import type { Api } from '../../api/client.ts'
import type { JsonValue } from '../../api/json.ts'
import type { ApiProblem } from '../../api/problem.ts'

/** The progress reported by a running tool. */
export interface Progress {
  done?: number
  total?: number
  message?: string
  /** The text written so far. */
  text?: string
}

/** One run of a tool on this page, from the click to the result. */
export interface RunState {
  /** `sending`: not stored yet; `refused`: no call was made; `cut`: the connection was lost and the outcome is unknown. */
  phase: 'sending' | 'running' | 'waiting' | 'settled' | 'refused' | 'cut'
  input: JsonValue
  /** The same for every attempt to start this run, so that it never runs twice. */
  key: string
  beganAt: number
  callId?: string
  approvalId?: string
  waitingFor?: string
  progress?: Progress
  partial?: JsonValue
  /** Output events that were dropped because they came too fast. */
  missed?: number
  result?: Api<'CallResult'>
  problem?: ApiProblem
  /** How long the call ran, from its record; without network time. */
  tookMs?: number
  isCancelling?: boolean
}

/** A frame of a call's stream. */
export type RunFrame =
  | { event: 'call'; data: { callId: string } }
  | { event: 'call.output'; data: { partial?: JsonValue; progress?: Progress } }
  | { event: 'gap'; data: { dropped: number } }
  | { event: 'queued'; data: Api<'CallResult'> }
  | { event: 'waiting'; data: Api<'CallResult'> }
  | { event: 'result'; data: Api<'CallResult'> }

/** The run after one more frame. */
export function applyFrame(run: RunState, frame: RunFrame): RunState {
  switch (frame.event) {
    case 'call':
      return { ...run, phase: 'running', callId: frame.data.callId }
    case 'call.output':
      return { ...run, phase: 'running', ...toShown(run, frame.data) }
    case 'gap':
      return { ...run, missed: (run.missed ?? 0) + frame.data.dropped }
    case 'queued':
    case 'waiting':
    case 'result':
      return settle(run, frame.data)
    default:
      // A newer server may send frames that this page does not know.
      return run
  }
}

type Times = Pick<Api<'CallRecord'>, 'startedAt' | 'settledAt'>

/** The run in the state of its call: settled, waiting or running. */
export function settle(run: RunState, call: Api<'CallResult'> & Times): RunState {
  const known = { ...run, callId: call.callId }
  if (call.status === 'waiting') return { ...known, phase: 'waiting', ...toWaiting(call) }
  if (call.status === 'queued' || call.status === 'running') return { ...known, phase: 'running' }
  const took = ranMs(call)
  return {
    ...known,
    phase: 'settled',
    result: call,
    ...(took !== undefined && { tookMs: took }),
  }
}

function ranMs({ startedAt, settledAt }: Times): number | undefined {
  if (startedAt === undefined || settledAt === undefined) return undefined
  return Math.max(0, Date.parse(settledAt) - Date.parse(startedAt))
}

/** Whether the run is in progress, so that another click must not start it again. */
export function isUnderWay(run: RunState | undefined): boolean {
  return run !== undefined && ['sending', 'running', 'waiting'].includes(run.phase)
}

function toShown(
  run: RunState,
  { partial, progress }: { partial?: JsonValue; progress?: Progress },
): Partial<RunState> {
  if (progress === undefined) return partial === undefined ? {} : { partial }
  const text = (run.progress?.text ?? '') + (progress.text ?? '')
  return { progress: { ...run.progress, ...progress, ...(text !== '' && { text }) } }
}

function toWaiting({ callId, approvalId, waitingFor }: Api<'CallResult'>): Partial<RunState> {
  return {
    callId,
    ...(approvalId !== undefined && { approvalId }),
    ...(waitingFor !== undefined && { waitingFor }),
  }
}
