import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LimitStore } from './limit-store.ts'
import { createLocalCounts } from './local-counts.ts'
import { RatePermits } from './rate-permits.ts'
import { sliceMs } from './window.ts'

const of = { tenant: 't', limit: 'busy', subject: 'key:a' }

const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('call'), node: fc.nat(2) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('undone'), node: fc.nat(2) }) },
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('answer'), node: fc.nat(2) }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('pass'), node: fc.nat(6000) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('pass'),
        node: fc.integer({ min: 50_000, max: 60_000 }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('tick'), node: fc.nat(2) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('crash'), node: fc.nat(2) }) },
  ),
  { minLength: 30, maxLength: 150 },
)

test('nodes that join and leave never exceed the calls per minute, whenever answers arrive', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      steps,
      fc.integer({ min: 1, max: 50 }),
      async (s, list, most) => {
        let clock = 7_000_000
        const made: number[] = []
        const counts = createLocalCounts(() => clock)
        const granted = new Map<number, number>()
        const counted: typeof counts.takePermits = async (...ask) => {
          const grant = await counts.takePermits(...ask)
          granted.set(grant.slot, (granted.get(grant.slot) ?? 0) + grant.granted)
          return grant
        }
        const store = slowed({ ...counts, takePermits: counted }, () =>
          s.schedule(Promise.resolve()),
        )
        // Nodes have different clocks, which agree only on their speed.
        const newNode = (index: number) => new RatePermits(store, () => clock + index * 1_234_567)
        const nodes = [newNode(0), newNode(1), newNode(2)]
        const work: Promise<unknown>[] = []
        const call = async (node: RatePermits | undefined, isUndone: boolean) => {
          const result = await node?.take(of, most)
          if (result?.kind !== 'taken') return
          if (isUndone) result.undo()
          else made.push(clock)
        }
        const act: Record<string, (node: number) => unknown> = {
          call: (node) => work.push(call(nodes[node], false)),
          undone: (node) => work.push(call(nodes[node], true)),
          tick: (node) => work.push(nodes[node]!.tick()),
          crash: (node) => (nodes[node] = newNode(node)),
          answer: async () => s.count() > 0 && s.waitOne(),
          async pass(ms) {
            // Pending work runs before time advances.
            for (let turn = 0; turn < 50; turn += 1) await Promise.resolve()
            clock += ms
          },
        }
        for (const { kind, node } of list) {
          const done = act[kind]!(node)
          if (kind === 'answer' || kind === 'pass') await done
        }
        await s.waitFor(Promise.all(work))
        // A call is made during the slice that its permit counts in.
        for (const [slot, calls] of Map.groupBy(made, (at) => Math.floor(at / sliceMs))) {
          expect(calls.length).toBeLessThanOrEqual(granted.get(slot) ?? 0)
        }
        for (const from of made) {
          expect(made.filter((at) => at >= from && at < from + 60_000).length).toBeLessThanOrEqual(
            most,
          )
        }
      },
    ),
    { numRuns: 300 },
  )
})

/** A store that lets time pass before it reads and before it answers. */
function slowed(
  counts: Pick<LimitStore, 'takePermits' | 'givePermitsBack'>,
  pause: () => Promise<unknown>,
): Pick<LimitStore, 'takePermits' | 'givePermitsBack'> {
  return {
    async takePermits(count, ask) {
      await pause()
      const grant = await counts.takePermits(count, ask)
      await pause()
      return grant
    },
    async givePermitsBack(unused) {
      await pause()
      await counts.givePermitsBack(unused)
    },
  }
}

test('one node makes exactly as many calls as the limit, with few queries', async () => {
  const counts = createLocalCounts(() => 5000)
  let asked = 0
  const permits = new RatePermits(
    { ...counts, takePermits: (...ask) => ((asked += 1), counts.takePermits(...ask)) },
    () => 0,
  )
  const results = []
  for (let call = 0; call < 700; call += 1) results.push(await permits.take(of, 600))
  expect(results.filter(({ kind }) => kind === 'taken')).toHaveLength(600)
  expect(results.at(-1)).toEqual({ kind: 'refused', retryAfterMs: 65_000 })
  expect(asked).toBeLessThan(35)
})

test('unused permits of a node go to the others when its slice is over', async () => {
  let clock = 100_000
  const counts = createLocalCounts(() => clock)
  const [busy, other] = [new RatePermits(counts, () => clock), new RatePermits(counts, () => clock)]
  for (let call = 0; call < 40; call += 1) await busy.take(of, 100)
  clock += 5000
  await busy.tick()
  let made = 0
  while ((await other.take(of, 100)).kind === 'taken') made += 1
  expect(made).toBe(60)
})

test('permits left of a slice count in the next, even before a tick returns them', async () => {
  let clock = 104_990
  const counts = createLocalCounts(() => clock)
  const permits = new RatePermits(counts, () => clock)
  const results = [await permits.take(of, 2), await permits.take(of, 2)]
  for (const result of results.slice(1)) if (result.kind === 'taken') result.undo()
  clock += 5000
  results.push(await permits.take(of, 2), await permits.take(of, 2))
  expect(results.map(({ kind }) => kind)).toEqual(['taken', 'taken', 'taken', 'refused'])
})

test('ten thousand subjects and more stay within a bound, and no permit is lost', async () => {
  let clock = 100_000
  const counts = createLocalCounts(() => clock)
  const permits = new RatePermits(counts, () => clock)
  for (let subject = 0; subject < 12_000; subject += 1) {
    await permits.take({ ...of, subject: `key:${subject}` }, 100)
  }
  expect(permits.size).toBeLessThanOrEqual(10_000)
  clock += 60_000
  await permits.tick()
  expect(permits.size).toBe(0)
  expect((await counts.findUse({ ...of, subject: 'key:1' })).calls).toBe(1)
})

test('a failing store refuses nobody for longer than it fails', async () => {
  const counts = createLocalCounts(() => 0)
  let isDown = true
  const permits = new RatePermits({
    ...counts,
    takePermits: async (...ask) => {
      if (isDown) throw new Error('down')
      return counts.takePermits(...ask)
    },
  })
  await expect(permits.take(of, 5)).rejects.toThrow('down')
  isDown = false
  expect((await permits.take(of, 5)).kind).toBe('taken')
})
