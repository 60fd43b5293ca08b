import { type Crib, defineComposition, defineTool, z } from '../src/app/index.ts'
import { withCrib } from './fixtures.ts'
import { type Figure, type Pace, heldBytes, medianMs } from './measure.ts'

const chained = 40
const items = 1000
const waiting = 10_000
const inputSchema = z.object({ n: z.number().nullable() })

const look = defineTool({
  name: 'bench.look',
  description: 'A read that does nothing.',
  effect: 'read',
  inputSchema,
  execute: ({ n }) => n,
})
const queued = defineTool({ ...facts('bench.queued'), execution: 'background' })
const ask = defineTool({ ...facts('bench.permit'), effect: 'write', approval: 'always' })
const nested = defineTool({
  ...facts('bench.nested'),
  async execute(_input, ctx) {
    let n = 0
    for (let at = 0; at < chained; at += 1) n = (await ctx.call(look, { n })) as number
    return n
  },
})
const chain = defineComposition({
  name: 'bench.chain',
  description: 'Forty reads, one after the other.',
  inputSchema,
  steps: Array.from({ length: chained }, (_, at) => ({
    id: `s${at}`,
    tool: look,
    input: { n: at === 0 ? 0 : `{{steps.s${at - 1}.output}}` },
  })),
})
const each = defineComposition({
  name: 'bench.each',
  description: 'A thousand background calls.',
  inputSchema,
  steps: [
    {
      id: 'all',
      tool: queued,
      each: Array.from({ length: items }, (_, at) => at),
      atOnce: 32,
      input: { n: '{{item}}' },
    },
  ],
})
const asking = defineComposition({
  name: 'bench.asking',
  description: 'Waits for a person.',
  inputSchema,
  steps: [{ id: 'ask', tool: ask, input: { n: 1 } }],
})

function facts(name: string) {
  return {
    name,
    description: 'A tool for the benchmark of compositions.',
    effect: 'read' as const,
    inputSchema,
    execute: ({ n }: { n: number | null }) => n,
  }
}

const owner = {
  tenant: 'default',
  principal: { kind: 'user', id: 'owner' },
  permissions: ['*'],
  runtime: 'api',
} as const

/** What steps cost beside plain calls, how soon a composition continues, and what waiting costs. */
export async function benchCompositions(databaseUrl: string, pace: Pace): Promise<Figure[]> {
  const tools = [look, queued, ask, nested, chain, each, asking]
  return withCrib({ database: databaseUrl, tools }, async (crib) => {
    const rounds = pace.isBrief ? 3 : 20
    const call = async (tool: string) => {
      const { status, error } = await crib.call(tool, { n: 0 }, { wait: 60 })
      if (status !== 'completed') throw new Error(`${tool} is ${status}: ${error?.message}`)
    }
    const durable = (tool: string) =>
      crib.call(tool, { n: 0 }, { idempotencyKey: crypto.randomUUID() })
    await call('bench.chain')
    const direct = await medianMs(rounds, async () => {
      for (let at = 0; at < chained; at += 1) await durable('bench.look')
    })
    const whole = await medianMs(rounds, () => durable('bench.chain'))
    const over = await medianMs(rounds, () => call('bench.nested'))
    const inline = await medianMs(rounds, () => call('bench.chain'))
    const perStep = ((inline - over) * 1000) / chained
    const plain = await medianMs(pace.isBrief ? 1 : 3, () =>
      Promise.all(Array.from({ length: items }, () => call('bench.queued'))),
    )
    const listed = await medianMs(pace.isBrief ? 1 : 3, () => call('bench.each'))
    const resumes = await resume(crib, rounds)
    return [
      figure(`chain of ${chained} reads, durable`, whole, { unit: 'ms', atMost: 400 }),
      figure(`the same, to ${chained} direct durable calls`, whole / direct, {
        unit: '×',
        atMost: 3,
      }),
      figure('a step inline, over ctx.call', perStep, { unit: 'µs', atMost: 60 }),
      figure(`plain background calls to a list of ${items}, in time`, listed / plain, {
        unit: '×',
        atMost: 1 / 0.7,
      }),
      figure('from the end of a step to the end of its composition, p50', resumes, {
        unit: 'ms',
        atMost: 20,
      }),
      ...(await waits(crib, pace.isBrief ? 200 : waiting)),
    ]
  })
}

function figure(
  name: string,
  value: number,
  { unit, atMost }: { unit: string; atMost: number },
): Figure {
  return {
    name,
    value,
    unit,
    goal: `≤ ${atMost.toFixed(atMost < 10 ? 1 : 0)} ${unit}`,
    kept: value <= atMost,
  }
}

/** From the end of the approved step to that of the composition, which runs from the queue again. */
async function resume(crib: Crib, rounds: number): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const { callId = '' } = await crib.call('bench.asking', { n: 0 })
    const { items: pending } = await crib.api.listApprovals(owner, { status: 'pending' })
    await crib.api.decideApproval(owner, { id: pending[0]?.id ?? '', decision: 'approve' })
    const { settledAt = '' } = await crib.api.findCall(owner, { id: callId, wait: 30 })
    const { items: steps } = await crib.api.listCalls(owner, { parent: callId })
    times.push(Date.parse(settledAt) - Date.parse(steps[0]?.settledAt ?? ''))
  }
  return times.sort((left, right) => left - right)[times.length >> 1] ?? 0
}

async function waits(crib: Crib, count: number): Promise<Figure[]> {
  const before = heldBytes()
  let left = count
  await Promise.all(
    Array.from({ length: 64 }, async () => {
      while ((left -= 1) >= 0) await crib.call('bench.asking', { n: left })
    }),
  )
  const megabytes = Math.max(0, heldBytes() - before) / 1_048_576
  const used = process.cpuUsage()
  await new Promise((resolve) => setTimeout(resolve, 5000))
  const { user, system } = process.cpuUsage(used)
  return [
    figure(`memory for ${count} waiting compositions`, megabytes, { unit: 'MB', atMost: 20 }),
    figure('processor time while they wait', (user + system) / 50_000, { unit: '%', atMost: 3 }),
  ]
}
