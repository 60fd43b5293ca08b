import { expect, test } from 'vitest'
import { compileValidator } from './compile-validator.ts'

const validate = (schema: object, value: unknown) =>
  compileValidator(schema as Record<string, unknown>)(value)
const text = { type: 'string' }
const shapes = {
  oneOf: [
    {
      type: 'object',
      properties: { kind: { const: 'circle' }, radius: { type: 'number' } },
      required: ['kind', 'radius'],
    },
    {
      type: 'object',
      properties: { kind: { const: 'square' }, side: { type: 'number' } },
      required: ['kind', 'side'],
    },
  ],
}

test.each([
  [text, 7, 'must be a string, got a number'],
  [{ type: ['integer', 'null'] }, 1.5, 'must be a whole number or null, got a number'],
  [{ type: 'object' }, [], 'must be an object, got an array'],
  [{ type: 'boolean' }, 'yes', 'must be true or false, got a string'],
  [{ enum: ['a', 'b', null] }, 'c', 'must be one of "a", "b" or null'],
  [{ const: 'a' }, 'b', 'must be "a"'],
  [{ minimum: 3 }, 2, 'must be at least 3'],
  [{ exclusiveMaximum: 3 }, 3, 'must be less than 3'],
  [{ multipleOf: 0.1 }, 0.25, 'must be a multiple of 0.1'],
  [{ minLength: 2 }, '😀', 'must be at least 2 characters long'],
  [{ maxLength: 1 }, 'ab', 'must be at most 1 character long'],
  [{ pattern: '^a' }, 'b', 'must match the pattern ^a'],
  [
    { format: 'date-time' },
    'today',
    'must be a date and time with its zone, like 2026-01-31T10:30:00Z',
  ],
  [{ format: 'email' }, 'nobody', 'must be an email address'],
  [{ minItems: 1 }, [], 'must have at least 1 item, has 0'],
  [
    { uniqueItems: true },
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    'must not repeat items: 0 and 1 are equal',
  ],
  [{ contains: text }, [1], 'must contain at least 1 item of the required kind, contains 0'],
  [{ maxProperties: 1 }, { a: 1, b: 2 }, 'must have at most 1 keys, has 2'],
  [{ not: text }, 'a', 'has an excluded form'],
  [{ anyOf: [text, { type: 'null' }] }, 7, 'must be null or a string, got a number'],
  [{ anyOf: [{ const: 1 }, { enum: [2, 3] }] }, 7, 'must be one of 1, 2 or 3'],
  [
    { oneOf: [{ minimum: 1 }, { minimum: 2 }] },
    3,
    'matches more than one of the allowed forms; it must match exactly one',
  ],
  [false, 1, 'is not allowed'],
])('%j refuses %j: %s', (schema, value, message) => {
  expect(validate({ properties: { v: schema } }, { v: value })).toEqual([{ path: '/v', message }])
})

test('multiples of decimals are computed as decimals', () => {
  expect(validate({ multipleOf: 0.01 }, 4.35)).toEqual([])
  expect(validate({ multipleOf: 0.1 }, 0.3)).toEqual([])
  expect(validate({ multipleOf: 0.0001 }, 0.00751)).not.toEqual([])
})

test('all problems are reported with their place, keys escaped', () => {
  const schema = {
    type: 'object',
    properties: { 'a/b': text, list: { items: text } },
    required: ['id'],
    additionalProperties: false,
  }
  expect(validate(schema, { 'a/b': 1, list: ['x', 2], more: 1 })).toEqual([
    { path: '/id', message: 'is required' },
    { path: '/a~1b', message: 'must be a string, got a number' },
    { path: '/list/1', message: 'must be a string, got a number' },
    { path: '/more', message: 'is not a known key; known are a/b, list' },
  ])
})

test('at most a hundred problems are reported, and a note that there are more', () => {
  const found = (length: number) =>
    validate(
      { items: text },
      Array.from({ length }, () => 1),
    )
  expect(found(100)).toHaveLength(100)
  expect(found(100).at(-1)?.path).toBe('/99')
  expect(found(100_000)).toHaveLength(101)
  expect(found(100_000).at(-1)).toEqual({
    path: '',
    message: 'Only the first 100 problems are listed; there are more',
  })
})

test('problems of a tagged union refer to the tagged branch', () => {
  expect(validate(shapes, { kind: 'circle', radius: 'wide' })).toEqual([
    { path: '/radius', message: 'must be a number, got a string' },
  ])
  expect(validate(shapes, { kind: 'line' })).toEqual([
    { path: '/kind', message: 'must be one of "circle" or "square"' },
  ])
})

test('problems of an untagged union refer to the closest branch', () => {
  const union = {
    anyOf: [
      { type: 'object', properties: { a: text, b: text, c: text }, required: ['a', 'b', 'c'] },
      { type: 'object', properties: { d: text }, required: ['d'] },
      { type: 'null' },
    ],
  }
  expect(validate(union, { a: 'x', b: 'y', c: 1 })).toEqual([
    { path: '/c', message: 'must be a string, got a number' },
  ])
})

test('keys that every object inherits are treated as own keys', () => {
  const schema = { properties: { constructor: text, toString: text }, required: ['constructor'] }
  expect(validate(schema, {})).toEqual([{ path: '/constructor', message: 'is required' }])
  expect(validate(schema, { constructor: 'x' })).toEqual([])
})

test('unevaluated keys are separated from evaluated ones', () => {
  const schema = {
    allOf: [{ properties: { a: text } }],
    anyOf: [{ properties: { b: { const: 1 } }, required: ['b'] }, true],
    unevaluatedProperties: false,
  }
  expect(validate(schema, { a: 'x', b: 1 })).toEqual([])
  expect(validate(schema, { a: 'x', b: 2 })).toEqual([
    { path: '/b', message: 'is not allowed here' },
  ])
})

test('a validator is compiled once for each schema object', () => {
  const schema = { type: 'object' }
  expect(compileValidator(schema)).toBe(compileValidator(schema))
})
