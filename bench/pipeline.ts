import { addNumbers, benchTool, sampleInput, withCrib } from './fixtures.ts'
import { type Figure, timePerTurn } from './measure.ts'

const turns = 100_000
/** Until the engine's WebAssembly and the pipeline are compiled: that happens once, not with each call. */
const warmTurns = 60_000
const width = 64

/** A read call in process against the bare function: CPU per call, recording included. */
export async function benchPipeline(databaseUrl: string): Promise<Figure[]> {
  const bare = await timePerTurn(turns, () =>
    inParallel(turns, async () => addNumbers(sampleInput)),
  )
  const stores = [
    { name: 'PGlite', options: {} },
    { name: 'PostgreSQL', options: { database: databaseUrl } },
  ]
  const figures: Figure[] = []
  for (const { name, options } of stores) {
    const call = await withCrib({ ...options, tools: [benchTool('bench.add')] }, async (crib) => {
      const once = async () => {
        const result = await crib.call('bench.add', sampleInput)
        if (result.status !== 'completed') throw new Error(JSON.stringify(result))
      }
      await inParallel(warmTurns, once)
      return timePerTurn(turns, () => inParallel(turns, once))
    })
    const more = call.cpuMicros - bare.cpuMicros
    figures.push({
      name: `read call in process, recorded on ${name}`,
      value: more,
      unit: 'µs CPU more than the function',
      bare: bare.cpuMicros,
      goal: '≤ 60',
      kept: more <= 60,
    })
  }
  return figures
}

async function inParallel(count: number, once: () => Promise<unknown>): Promise<void> {
  const each = count / width
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (let turn = 0; turn < each; turn += 1) await once()
    }),
  )
}
