import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** One measured figure, with the bare thing it is compared to where there is one. */
export interface Figure {
  name: string
  value: number
  unit: string
  /** The bare thing's figure in the same unit, and ours in relation to it. */
  bare?: number
  ratio?: number
  /** What we hold ourselves to, and whether this run kept it. */
  goal?: string
  kept?: boolean
  /** How many times worse than the goal it is: 1 is at it, less is better. */
  off?: number
  /** Why nothing was measured here. */
  skipped?: string
}

/** A row for what this machine does not have. */
export function skipped(name: string, reason: string): Figure {
  return { name, value: 0, unit: '', skipped: reason }
}

/** How long parts measure: a brief run sees that everything works, and tells nothing of its speed. */
export interface Pace {
  isBrief: boolean
}

/** What a part takes for its own seconds and rounds in a brief run. */
export const briefSpan = { seconds: 1, rounds: 1 }

export interface CpuTime {
  cpuMicros: number
  wallMicros: number
}

/** CPU of this process (all its threads) and wall time per turn, over many turns. */
export async function timePerTurn(turns: number, work: () => Promise<void>): Promise<CpuTime> {
  globalThis.gc?.()
  const cpuBefore = process.cpuUsage()
  const startedAt = performance.now()
  await work()
  const wall = (performance.now() - startedAt) * 1000
  const cpu = process.cpuUsage(cpuBefore)
  return { cpuMicros: (cpu.user + cpu.system) / turns, wallMicros: wall / turns }
}

/** Runs `job` until `seconds` are over, `width` at a time; how many per second were done. */
export async function ratePerSecond(
  width: number,
  seconds: number,
  job: () => Promise<unknown>,
): Promise<number> {
  const endsAt = performance.now() + seconds * 1000
  const startedAt = performance.now()
  let done = 0
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (performance.now() < endsAt) {
        await job()
        done += 1
      }
    }),
  )
  return done / ((performance.now() - startedAt) / 1000)
}

/** Bytes of the heap that are really held. The collector is asked for here, because nobody starts a benchmark with its flag. */
export function heldBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  collect()
  return process.memoryUsage().heapUsed
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** The value that this share of all does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Milliseconds of one run, the median of several. */
export async function medianMs(times: number, work: () => unknown): Promise<number> {
  const all: number[] = []
  for (let run = 0; run < times; run += 1) {
    const startedAt = performance.now()
    await work()
    all.push(performance.now() - startedAt)
  }
  return median(all)
}
