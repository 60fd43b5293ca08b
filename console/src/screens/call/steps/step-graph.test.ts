import { expect, test } from 'vitest'
import { countColumns, layOutSteps } from './step-graph.ts'

const step = (id: string, ...waitsFor: string[]) => ({ id, waitsFor })
const drawn = (...steps: ReturnType<typeof step>[]) =>
  layOutSteps(steps).map(({ step: { id }, ...lines }) => ({ id, ...lines }))

test('a chain stays in one column', () => {
  expect(drawn(step('a'), step('b', 'a'), step('c', 'a', 'b'))).toEqual([
    { id: 'a', column: 0, into: [], out: [0], past: [] },
    { id: 'b', column: 0, into: [0], out: [0], past: [] },
    { id: 'c', column: 0, into: [0], out: [], past: [] },
  ])
})

test('branches run beside each other and join again', () => {
  expect(drawn(step('a'), step('b', 'a'), step('c', 'a'), step('d', 'b', 'c'))).toEqual([
    { id: 'a', column: 0, into: [], out: [0, 1], past: [] },
    { id: 'b', column: 0, into: [0], out: [0], past: [1] },
    { id: 'c', column: 1, into: [1], out: [1], past: [0] },
    { id: 'd', column: 0, into: [0, 1], out: [], past: [] },
  ])
})

test('a step is drawn below those it waits for, wherever it is written', () => {
  expect(drawn(step('late', 'early'), step('early')).map(({ id }) => id)).toEqual(['early', 'late'])
})

test('a wide fan takes few columns, and every step has a row', () => {
  const many = Array.from({ length: 40 }, (_, index) => step(`s${index}`, 'first'))
  const rows = layOutSteps([step('first'), ...many])
  expect(rows).toHaveLength(41)
  expect(countColumns(rows)).toBe(6)
})
