import { expect, test } from 'vitest'
import { type Condition, conditionSchema } from './condition.ts'
import { compareTexts, matches } from './matches.ts'

const roots = {
  input: { limit: 70, name: 'Ada Lovelace', tags: ['a', { b: 1 }], none: null, is: false },
  steps: { risk: { output: { score: 71 } } },
}

const cases: [Condition, boolean][] = [
  [{ field: 'steps.risk.output.score', operator: 'gt', value: 70 }, true],
  [{ field: 'steps.risk.output.score', operator: 'gt', value: '{{input.limit}}' }, true],
  [{ field: 'steps.risk.output.score', operator: 'lte', value: '{{input.limit}}' }, false],
  [{ field: 'input.limit', operator: 'gt', value: '7' }, false],
  [{ field: 'input.absent', operator: 'lt', value: 7 }, false],
  [{ field: 'input.absent', operator: 'eq', value: null }, true],
  [{ field: 'input.none', operator: 'eq', value: null }, true],
  [{ field: 'input.none', operator: 'exists' }, true],
  [{ field: 'input.absent', operator: 'exists' }, false],
  [{ field: 'input.absent', operator: 'exists', value: false }, true],
  [{ field: 'input.absent', operator: 'neq', value: 1 }, true],
  [{ field: 'input.is', operator: 'eq', value: false }, true],
  [{ field: 'input.is', operator: 'eq', value: 0 }, false],
  [{ field: 'input.name', operator: 'contains', value: 'Love' }, true],
  [{ field: 'input.tags', operator: 'contains', value: { b: 1 } }, true],
  [{ field: 'input.tags', operator: 'contains', value: 'b' }, false],
  [{ field: 'input.limit', operator: 'contains', value: 7 }, false],
  [{ field: 'input.limit', operator: 'in', value: [1, 70] }, true],
  [{ field: 'input.absent', operator: 'in', value: [null] }, true],
  [{ field: 'input.__proto__', operator: 'exists' }, false],
  [{ all: [] }, true],
  [{ any: [] }, false],
  [{ not: { any: [{ field: 'input.limit', operator: 'eq', value: 70 }] } }, false],
]

test.each(cases)('%j is %s', (condition, expected) => {
  expect(conditionSchema.parse(condition)).toEqual(condition)
  expect(matches(condition, roots)).toBe(expected)
})

test('texts are ordered by code point, unlike in JavaScript', () => {
  const texts = ['', 'Z', 'a', 'ab', 'ä', '￿', '😀', '😁']
  expect(texts.toReversed().toSorted(compareTexts)).toEqual(texts)
  expect(texts.toSorted()).not.toEqual(texts)
})

test.each([
  [{ field: 'a b', operator: 'eq', value: 1 }],
  [{ field: '{{a}}', operator: 'eq', value: 1 }],
  [{ field: 'a', operator: 'like', value: 1 }],
  [{ field: 'a', operator: 'eq' }],
  [{ field: 'a', operator: 'in', value: 'b' }],
  [{ field: 'a', operator: 'exists', value: 1 }],
  [{ all: [], any: [] }],
  [{}],
  [null],
  [deep(9)],
  [deep(100_000)],
  [{ any: Array.from({ length: 201 }, () => ({ field: 'a', operator: 'eq', value: 1 })) }],
])('a malformed or huge condition is refused', (given) => {
  expect(conditionSchema.safeParse(given).success).toBe(false)
})

function deep(levels: number): unknown {
  let condition: unknown = { field: 'a', operator: 'eq', value: 1 }
  for (let level = 0; level < levels; level += 1) condition = { not: condition }
  return condition
}
