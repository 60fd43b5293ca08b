import type { Evidence } from './evidence.ts'

/**
 * Tools that came to their end when their call was another's already, or given up: their workers were
 * paused or cut off, lived on, and had their results refused. One that wrote nothing more may have died
 * before it could try, and does not count.
 */
export function countLateEnds({ effects, calls }: Pick<Evidence, 'effects' | 'calls'>): number {
  const byId = new Map(calls.map((call) => [call.callId, call]))
  const lastRun = new Map<string, string>()
  const lastLine = new Map(effects.map((line, index) => [line.pid, index]))
  let late = 0
  for (const [index, { what, callId, run, pid }] of effects.entries()) {
    if (what === 'begin') lastRun.set(callId, run)
    if (what !== 'end' || (lastLine.get(pid) ?? 0) <= index) continue
    const { code } = byId.get(callId)?.error ?? {}
    const isGivenUp = code === 'outcome_unknown' || code === 'interrupted'
    if (lastRun.get(callId) !== run || isGivenUp) late += 1
  }
  return late
}
