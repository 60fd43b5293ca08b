import type { Crib } from '../../src/app/index.ts'
import { sampleInput } from '../fixtures.ts'

export interface Others {
  /** How long the work took. */
  ms: number
  /** How long each call beside it took, from when it was to begin. */
  waits: number[]
}

/** Calls `bench.add` in turns for as long as the work takes, and measures how long each call waits. */
export async function callEvery(
  crib: Crib,
  everyMs: number,
  work: () => Promise<unknown>,
): Promise<Others> {
  const waits: number[] = []
  const state = { isOver: false }
  const calling = (async () => {
    while (!state.isOver) {
      const dueAt = performance.now() + everyMs
      await new Promise((resolve) => setTimeout(resolve, everyMs))
      const { status } = await crib.call('bench.add', sampleInput)
      if (status !== 'completed') throw new Error(`bench.add: ${status}`)
      waits.push(performance.now() - dueAt)
    }
  })()
  const startedAt = performance.now()
  try {
    await work()
    return { ms: performance.now() - startedAt, waits }
  } finally {
    state.isOver = true
    await calling
  }
}
