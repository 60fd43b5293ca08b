import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LimitStore } from './limit-store.ts'
import { Places } from './places.ts'

const of = { tenant: 't', limit: 'busy', subject: 'agent:a' }
const ignore = () => undefined

/** The slots that nodes hold, as in the database; those of a dead node no longer count. */
function createRows(): { nodeStore(id: number): Pick<LimitStore, 'holdPlaces'>; held(): number[] } {
  const rows = new Map<number, number>()
  return {
    held: () => [...rows.values()],
    nodeStore: (id) => ({
      async holdPlaces(_of, { most, wanted, inUse }) {
        let others = 0
        for (const [node, held] of rows) if (node !== id) others += held
        const kept = Math.max(inUse, Math.min(wanted, most - others), 0)
        rows.set(id, kept)
        return kept
      },
    }),
  }
}

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom('take', 'take', 'leave', 'tick', 'answer', 'answer', 'answer'),
    node: fc.nat(2),
  }),
  { minLength: 20, maxLength: 150 },
)

const mosts = fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 45 }))

test('nodes together never exceed the limit of concurrent calls, whenever answers arrive', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), steps, mosts, async (s, list, most) => {
      const rows = createRows()
      const nodes = [0, 1, 2].map((id) => {
        const { holdPlaces } = rows.nodeStore(id)
        const slow: typeof holdPlaces = async (...ask) => {
          await s.schedule(Promise.resolve())
          const kept = await holdPlaces(...ask)
          await s.schedule(Promise.resolve())
          return kept
        }
        return new Places({ holdPlaces: slow }, ignore)
      })
      const running: (() => void)[] = []
      const work: Promise<unknown>[] = []
      let worst = 0
      const take = async (node: Places) => {
        const leave = await node.take(of, most)
        if (leave !== undefined) running.push(leave)
        worst = Math.max(worst, running.length)
      }
      for (const { kind, node } of list) {
        if (kind === 'take') work.push(take(nodes[node]!))
        if (kind === 'leave') running.shift()?.()
        if (kind === 'tick') work.push(nodes[node]!.tick())
        if (kind === 'answer' && s.count() > 0) await s.waitOne()
      }
      await s.waitFor(Promise.all(work))
      expect(worst).toBeLessThanOrEqual(most)
    }),
    { numRuns: 300 },
  )
})

test('a small limit passes from node to node as soon as a call ends', async () => {
  const rows = createRows()
  const [one, two] = [new Places(rows.nodeStore(1), ignore), new Places(rows.nodeStore(2), ignore)]
  const leave = await one.take(of, 1)
  expect(leave).toBeDefined()
  expect(await two.take(of, 1)).toBeUndefined()
  leave?.()
  leave?.()
  await one.flush()
  await new Promise((resolve) => setTimeout(resolve, 60))
  expect(await two.take(of, 1)).toBeDefined()
})

test('slots that could not be released are released later', async () => {
  const rows = createRows()
  const { holdPlaces } = rows.nodeStore(1)
  let isDown = false
  const warnings: string[] = []
  const places = new Places(
    {
      holdPlaces: async (...ask) => {
        if (isDown) throw new Error('down')
        return holdPlaces(...ask)
      },
    },
    (message) => warnings.push(message),
  )
  const leave = await places.take(of, 3)
  isDown = true
  leave?.()
  await places.flush()
  expect([rows.held(), warnings.length]).toEqual([[1], 1])
  isDown = false
  await expect.poll(async () => (await places.tick(), rows.held())).toEqual([0])
  await expect.poll(async () => (await places.tick(), places.size)).toBe(0)
})
