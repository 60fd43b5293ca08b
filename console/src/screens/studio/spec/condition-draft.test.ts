import { expect, test } from 'vitest'
import type { JsonValue } from '../../../api/json.ts'
import { readRows, writeRows } from './condition-draft.ts'

const conditions: JsonValue[] = [
  { field: 'steps.risk.output.score', operator: 'gt', value: 70 },
  { any: [{ field: 'input.a', operator: 'eq', value: 'x' }] },
  {
    all: [
      { field: 'input.a', operator: 'in', value: ['x', 2] },
      { field: 'input.b', operator: 'exists' },
      { field: 'input.b', operator: 'exists', value: false },
      { field: 'input.c', operator: 'eq', value: '12' },
      { field: 'input.c', operator: 'neq', value: null },
      { field: 'input.c', operator: 'eq', value: '{{steps.find.output}}' },
      { field: 'input.d', operator: 'eq', value: '' },
    ],
  },
]

test('a condition of comparisons is shown as rows, and written as it was', () => {
  for (const condition of conditions) {
    const rows = readRows(condition)
    expect(rows && writeRows(rows)).toEqual(condition)
  }
})

test('words with commas become a list, and without rows there is no condition', () => {
  const row = { field: 'input.a', operator: 'in', text: 'open, paid, 3' }
  expect(writeRows({ join: 'all', rows: [row] })).toEqual({
    field: 'input.a',
    operator: 'in',
    value: ['open', 'paid', 3],
  })
  expect(writeRows({ join: 'any', rows: [] })).toBeUndefined()
})

test('a nested condition has no rows', () => {
  expect(readRows({ not: { field: 'a', operator: 'exists' } })).toBeUndefined()
  expect(readRows({ all: [{ any: [] }] })).toBeUndefined()
})
