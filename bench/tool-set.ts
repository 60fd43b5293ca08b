import { generateText, isStepCount, jsonSchema, type ToolSet } from 'ai'
import type { CribToolSet } from '../src/doors/sdk/create-tool-set.ts'
import { callTools, playModel, sayText } from '../src/doors/sdk/testing/play-model.ts'
import type { Crib, JsonSchema } from '../src/app/index.ts'
import { addNumbers, benchTool, sampleInput, withCrib } from './fixtures.ts'
import { type Figure, median, medianMs } from './measure.ts'

const count = 1000
const steps = 10

const providers = ['plain', 'openai', 'anthropic', 'gemini'] as const
const rounds = 5
const turns = 9

/** A thousand tools for the AI SDK: making the set, and what a turn of ten steps with it costs. */
export async function benchToolSet(): Promise<Figure[]> {
  const colds: Spent[][] = []
  for (let round = 0; round < rounds; round += 1) colds.push(await openCrib(measureCold))
  const warm = await openCrib(async (crib) => [
    ...(await measureWarm(crib)),
    await measureTurns(crib),
  ])
  const cold = providers.flatMap((provider, at): Figure[] => {
    const middle = (of: keyof Spent) => median(colds.map((round) => round[at]?.[of] ?? Number.NaN))
    const name = `set of ${count} tools, ${provider}, cold`
    return [
      { name, value: middle('ms'), unit: 'ms', ...below(30, middle('ms')) },
      { name: `${name}, CPU`, value: middle('cpuMs'), unit: 'ms of CPU' },
    ]
  })
  return [...cold, ...warm]
}

/** Each with tools of its own: what was compiled of others is of no use to it. */
function openCrib<T>(work: (crib: Crib) => Promise<T>): Promise<T> {
  const tools = Array.from({ length: count }, (_, at) => benchTool(`bench.tool-${at}`))
  return withCrib({ tools }, work)
}

/**
 * Nothing was compiled for that provider before; the offer is gathered in the first. With its CPU
 * time: what happens once can't be told from the rest of the machine by the clock alone.
 */
async function measureCold(crib: Crib): Promise<Spent[]> {
  const times: Spent[] = []
  for (const provider of providers) times.push(await spend(() => crib.toolSet({ provider })))
  return times
}

async function measureWarm(crib: Crib): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const provider of providers) {
    await crib.toolSet({ provider })
    const value = await medianMs(21, () => crib.toolSet({ provider }))
    const name = `set of ${count} tools, ${provider}, warm`
    figures.push({ name, value, unit: 'ms', ...below(2, value) })
  }
  return figures
}

function below(most: number, value: number): Pick<Figure, 'goal' | 'kept' | 'off'> {
  return { goal: `< ${most}`, kept: value < most, off: value / most }
}

interface Spent {
  ms: number
  cpuMs: number
}

async function spend(work: () => Promise<unknown>): Promise<Spent> {
  const before = process.cpuUsage()
  const startedAt = performance.now()
  await work()
  const ms = performance.now() - startedAt
  const { user, system } = process.cpuUsage(before)
  return { ms, cpuMs: (user + system) / 1000 }
}

/** Against the SDK alone: the same schemas, wrapped once, and the bare function. */
async function measureTurns(crib: Crib): Promise<Figure> {
  const bare = bareTools((await crib.toolSet()).offer)
  const spent: Record<'bare' | 'ours', number[]> = { bare: [], ours: [] }
  // In turns, so that a slow moment of the machine hits both alike.
  for (let round = 0; round < turns; round += 1) {
    spent.bare.push((await spend(() => turn({ tools: bare }))).ms)
    const ours = async () => turn(await crib.toolSet({ sessionId: crypto.randomUUID() }))
    spent.ours.push((await spend(ours)).ms)
  }
  const bareMs = median(spent.bare)
  const added = median(spent.ours) - bareMs
  const name = `turn of ${steps} steps over ${count} tools: ours more`
  return { name, value: added, unit: 'ms', bare: bareMs, ...below(100, added) }
}

function bareTools({ tools }: CribToolSet['offer']): ToolSet {
  return Object.fromEntries(
    tools.map(({ wireName, description, inputSchema }) => [
      wireName,
      {
        description,
        inputSchema: jsonSchema<typeof sampleInput>(inputSchema satisfies JsonSchema),
        execute: async (input: typeof sampleInput) => addNumbers(input),
      },
    ]),
  )
}

async function turn(set: Pick<CribToolSet, 'tools'> & Partial<CribToolSet>): Promise<void> {
  const calls = Array.from({ length: steps - 1 }, (_, at) =>
    callTools({ id: `call-${at}`, call: [`bench_tool-${at}`, sampleInput] }),
  )
  const { text, steps: done } = await generateText({
    model: playModel([...calls, sayText('done')]),
    tools: set.tools,
    ...(set.toolApproval && { toolApproval: set.toolApproval }),
    stopWhen: isStepCount(steps),
    prompt: 'go',
  })
  if (text !== 'done' || done.length !== steps)
    throw new Error(`The turn took ${done.length} steps`)
}
