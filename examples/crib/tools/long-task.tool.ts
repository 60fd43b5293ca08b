import { defineTool, z } from 'toolcrib'
import { pause } from '../lib/pause.ts'
import { countPrimes, splitRange } from '../lib/primes.ts'
import { round, sum } from '../lib/rounding.ts'

const usualLimit = 2_000_000
const usualSteps = 20
const usualDelayMs = 500

/** Work that takes long, says how far it is, and stops when told. */
export default defineTool({
  name: 'demo.long-task',
  title: 'Count primes slowly',
  description:
    'Count the primes up to a number in steps, with a wait before each, and report progress. ' +
    'Use it to see how long work behaves: it runs in the background, can be cancelled at any moment and may be repeated. ' +
    'Set delayMs to 0 to have the result at once.',
  icon: 'hourglass',
  effect: 'read',
  execution: 'background',
  // The slowest allowed input (100 steps of 5 s) takes a little over 8 minutes.
  timeoutMs: 600_000,
  inputSchema: z.object({
    upTo: z.int().min(2).max(50_000_000).nullable().describe(`Count up to here (${usualLimit})`),
    steps: z.int().min(1).max(100).nullable().describe(`In how many steps (${usualSteps})`),
    delayMs: z
      .int()
      .min(0)
      .max(5000)
      .nullable()
      .describe(`Wait before each step, in milliseconds (${usualDelayMs})`),
  }),
  outputSchema: z.object({
    summary: z.object({
      upTo: z.int(),
      primes: z.int(),
      largestPrime: z.int(),
      densityPercent: z.number().describe('Share of primes among all numbers counted'),
    }),
    steps: z.array(z.object({ from: z.int(), to: z.int(), primes: z.int() })),
    chart: z.array(z.object({ label: z.string(), primes: z.int() })),
  }),
  examples: [
    { label: 'About ten seconds', input: { upTo: null, steps: null, delayMs: null } },
    { label: 'At once', input: { upTo: 1000, steps: 4, delayMs: 0 } },
    { label: 'A minute to cancel in', input: { upTo: 10_000_000, steps: 60, delayMs: 1000 } },
  ],
  sections: [
    { key: 'summary', label: 'Result', type: 'summary' },
    { key: 'chart', label: 'Primes by step', type: 'chart' },
    { key: 'steps', label: 'Steps', type: 'table' },
  ],
  view: {
    sections: [
      {
        path: 'summary',
        columns: [
          { key: 'primes', format: 'integer' },
          { key: 'upTo', label: 'Up to', format: 'integer' },
          { key: 'largestPrime', format: 'integer' },
          { key: 'densityPercent', label: 'Share of primes', format: 'percent', digits: 2 },
        ],
      },
      { path: 'chart', chart: { kind: 'bar', x: 'label', series: [{ key: 'primes' }] } },
    ],
  },

  async execute(input, context) {
    const upTo = input.upTo ?? usualLimit
    const ranges = splitRange(upTo, input.steps ?? usualSteps)
    const steps: { from: number; to: number; primes: number }[] = []
    let largestPrime = 2
    context.progress({ done: 0, total: ranges.length, message: `Counting primes up to ${upTo}` })
    for (const range of ranges) {
      await pause(input.delayMs ?? usualDelayMs, context.signal)
      const { primes, largest } = await countPrimes(range, context.signal)
      steps.push({ ...range, primes })
      largestPrime = largest ?? largestPrime
      context.progress({
        done: steps.length,
        total: ranges.length,
        message: `${primes} primes from ${range.from} to ${range.to}`,
      })
    }
    const primes = sum(steps.map((step) => step.primes))
    return {
      summary: { upTo, primes, largestPrime, densityPercent: round((primes / upTo) * 100) },
      steps,
      chart: steps.map((step) => ({ label: `to ${step.to}`, primes: step.primes })),
    }
  },
})
