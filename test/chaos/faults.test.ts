import fc from 'fast-check'
import { expect, test } from 'vitest'
import { planFaults } from './faults.ts'
import { createRandom } from './random.ts'

const options = { lastsMs: 60_000, nodes: 3, leaseMs: 2000, everyMs: 1400 }

test('the same seed gives the same plan, another seed another', () => {
  const plan = (seed: number) => planFaults(createRandom(seed), options)
  expect(plan(7)).toEqual(plan(7))
  expect(plan(7)).not.toEqual(plan(8))
})

test('every plan that is long enough has every kind of fault, in time and on nodes that are there', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const plan = planFaults(createRandom(seed), options)
      expect(new Set(plan.map(({ kind }) => kind)).size).toBe(15)
      const places = new Set(plan.flatMap(({ nodes }) => nodes))
      expect([...places].every((place) => place >= 0 && place < options.nodes)).toBe(true)
      expect(plan.map(({ atMs }) => atMs)).toEqual(
        plan.map(({ atMs }) => atMs).toSorted((a, b) => a - b),
      )
      expect(plan.every(({ atMs }) => atMs < options.lastsMs)).toBe(true)
    }),
  )
})

test('a run that is hardly longer than a lease has nothing that outlasts it', () => {
  const plan = planFaults(createRandom(7), { ...options, leaseMs: 30_000 })
  expect(plan.filter(({ kind }) => kind.endsWith('past its lease'))).toEqual([])
})

test('what is to outlast the lease does', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 1000, max: 20_000 }), (seed, leaseMs) => {
      const plan = planFaults(createRandom(seed), { ...options, leaseMs })
      const long = plan.filter(({ kind }) => kind.endsWith('past its lease'))
      expect(long.length).toBeGreaterThan(0)
      expect(long.every(({ lastsMs }) => lastsMs > leaseMs)).toBe(true)
    }),
  )
})
