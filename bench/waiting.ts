import { type Crib, defineTool, z } from '../src/app/index.ts'
import { withCrib } from './fixtures.ts'
import { type Figure, heldBytes, medianMs } from './measure.ts'

const calls = 10_000
const width = 64
const pageSize = 50

/** Ten thousand calls that wait for a person: what a page of them costs, and what they cost the server. */
export async function benchWaiting(databaseUrl: string): Promise<Figure[]> {
  return [
    ...(await measure('PGlite', {})),
    ...(await measure('PostgreSQL', { database: databaseUrl })),
  ]
}

const owner = {
  tenant: 'default',
  principal: { kind: 'user', id: 'owner' },
  permissions: ['*'],
  runtime: 'api',
} as const

const tool = defineTool({
  name: 'bench.ask',
  description: 'Needs a person. Used to measure what waiting costs.',
  effect: 'write',
  approval: 'always',
  inputSchema: z.object({ number: z.number().describe('Which one it is') }),
  execute: ({ number }) => number,
})

async function measure(store: string, options: { database?: string }): Promise<Figure[]> {
  return withCrib({ ...options, tools: [tool] }, async (crib) => {
    await ask(crib, 500)
    const before = heapMb()
    await ask(crib, calls)
    const heap = heapMb() - before
    const list = await medianMs(30, () =>
      crib.api.listApprovals(owner, { status: 'pending', limit: pageSize }),
    )
    return [
      {
        name: `page of 50 of 10,000 waiting approvals, ${store}`,
        value: list,
        unit: 'ms',
        goal: '< 50 ms',
        kept: list < 50,
      },
      {
        name: `memory kept for them in JavaScript, ${store}`,
        value: Math.max(0, heap),
        unit: 'MB',
        goal: '< 5 MB: none',
        kept: heap < 5,
      },
    ]
  })
}

async function ask(crib: Crib, count: number): Promise<void> {
  let left = count
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (left > 0) {
        left -= 1
        const { status } = await crib.call('bench.ask', { number: left })
        if (status !== 'waiting') throw new Error(`The call is ${status}`)
      }
    }),
  )
}

function heapMb(): number {
  return heldBytes() / 1_048_576
}
