import type { StoredRun } from '../model.ts'
import { attendRun } from './attend-run.ts'
import type { SchedulePorts } from './ports.ts'

/** The runs that this node is busy with. */
export interface Attendance {
  /** How many more it can take. */
  room(): number
  take(runs: readonly StoredRun[]): void
  /** Resolves when the runs taken so far are done. */
  done(): Promise<unknown>
}

const mostAtOnce = 100

/** Attends to runs concurrently, so that a tool that is slow to start does not delay the others. */
export function createAttendance(ports: SchedulePorts, onDone: () => void): Attendance {
  const work = new Set<Promise<void>>()
  return {
    room: () => mostAtOnce - work.size,
    take(runs) {
      for (const run of runs) {
        const one = attendSafely(run, ports).finally(() => {
          work.delete(one)
          onDone()
        })
        work.add(one)
      }
    },
    done: () => Promise.all(work),
  }
}

async function attendSafely(run: StoredRun, ports: SchedulePorts): Promise<void> {
  try {
    await attendRun(run, ports)
  } catch (error) {
    // Its lease expires, and the next node continues from here.
    const reason = error instanceof Error ? error.message : String(error)
    ports.onWarning(`Run ${run.id} of ${run.scheduleId} is postponed: ${reason}`)
  }
}
