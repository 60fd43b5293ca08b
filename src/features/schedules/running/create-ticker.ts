import { createAlarm } from './create-alarm.ts'
import { createAttendance } from './create-attendance.ts'
import { fireDue } from './fire-schedules.ts'
import { leaseMs, type SchedulePorts } from './ports.ts'

export interface Ticker {
  start(): void
  /** Something has changed: check at once. */
  wake(): void
  /** One check: fires due schedules and attends to open runs. Resolves when the calls are made. */
  tick(): Promise<void>
  /** Stops firing; resolves when running work is recorded. */
  stop(): Promise<void>
}

/** Checking more often would make no noticeable difference. */
const shortestPauseMs = 50
/** Unfinished work goes to another node when its lease expires. */
const stopWithinMs = 5_000

/**
 * Fires schedules while it is started: at least every `pollMs`, and right when the next
 * one is due. Any number of nodes may do so on one store.
 */
export function createTicker(ports: SchedulePorts, { pollMs }: { pollMs: number }): Ticker {
  const alarm = createAlarm(() => run())
  const attendance = createAttendance(ports, () => lookIn(shortestPauseMs))
  const state = { isStarted: false, isFailing: false }
  let current: Promise<void> | undefined

  async function look(): Promise<void> {
    const { room, take } = attendance
    if (room() > 0) take(await fireDue(ports, room()))
    if (room() > 0) take(await ports.schedules.claimRuns(ports.now(), { limit: room(), leaseMs }))
  }
  /** Never rejects: if the store is unreachable, a later check finds it again. */
  async function lookAndPlan(): Promise<void> {
    try {
      await look()
      const next = (await ports.schedules.nextLookMs()) ?? Infinity
      state.isFailing = false
      lookIn(attendance.room() > 0 ? next - ports.now() : pollMs)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      if (!state.isFailing) ports.onWarning(`Schedules wait: ${reason}`)
      state.isFailing = true
      lookIn(pollMs)
    }
  }
  function lookIn(ms: number): void {
    if (state.isStarted) alarm.setIn(Math.min(Math.max(ms, shortestPauseMs), pollMs))
  }
  function run(): void {
    if (current === undefined) current = lookAndPlan().finally(() => (current = undefined))
    else lookIn(shortestPauseMs)
  }
  return {
    start() {
      state.isStarted = true
      run()
    },
    wake: () => lookIn(shortestPauseMs),
    async tick() {
      await look()
      await attendance.done()
    },
    async stop() {
      state.isStarted = false
      alarm.stop()
      await within(stopWithinMs, Promise.resolve(current).then(attendance.done))
    },
  }
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, ms)
  await Promise.race([work, late.promise])
  clearTimeout(timer)
}
