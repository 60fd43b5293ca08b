import { expect, test } from 'vitest'
import type { JsonSchema } from '../kernel/tool.ts'
import { prepareValue } from './prepare-value.ts'

const text = { type: 'string' }
const maybe = { type: ['string', 'null'] }
const object = (properties: object, more: object = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...more,
})

test.each<[string, JsonSchema, unknown, unknown]>([
  ['a nullable key', object({ a: maybe, b: text }), { b: 'x' }, { a: null, b: 'x' }],
  ['a union with null', object({ a: { anyOf: [text, { type: 'null' }] } }), {}, { a: null }],
  ['an enum with null', object({ a: { enum: ['x', null] } }), {}, { a: null }],
  ['OpenAPI nullable', object({ a: { type: 'string', nullable: true } }), {}, { a: null }],
  [
    'a reference to such',
    object({ a: { $ref: '#/$defs/m' } }, { $defs: { m: maybe } }),
    {},
    { a: null },
  ],
  ['a key that is undefined', object({ a: maybe }), { a: undefined }, { a: null }],
  ['a nested object', object({ o: object({ a: maybe }) }), { o: {} }, { o: { a: null } }],
  [
    'objects in a list',
    object({ l: { type: 'array', items: object({ a: maybe }) } }),
    { l: [{}, { a: 'x' }] },
    { l: [{ a: null }, { a: 'x' }] },
  ],
  [
    'a tuple',
    object({ t: { type: 'array', prefixItems: [text, object({ a: maybe })] } }),
    { t: ['x', {}] },
    { t: ['x', { a: null }] },
  ],
  [
    'values of a record',
    object({ r: { type: 'object', additionalProperties: object({ a: maybe }) } }),
    { r: { k: {} } },
    { r: { k: { a: null } } },
  ],
  [
    'keys by pattern',
    object({}, { patternProperties: { '^x': object({ a: maybe }) } }),
    { x1: {}, y: 1 },
    { x1: { a: null } },
  ],
  [
    'both parts of allOf',
    object({}, { allOf: [object({ a: maybe }), object({ b: text })] }),
    { b: 'x', c: 1 },
    { b: 'x', a: null },
  ],
  [
    'a nullable object that is there',
    object({ o: { anyOf: [object({ a: maybe }), { type: 'null' }] } }),
    { o: {} },
    { o: { a: null } },
  ],
  [
    'a recursive schema',
    object({ a: maybe, next: { anyOf: [{ $ref: '#' }, { type: 'null' }] } }),
    { next: {} },
    { next: { a: null, next: null }, a: null },
  ],
])('null is filled in for %s', (...[, schema, value, expected]) => {
  expect(prepareValue(schema, value)).toEqual(expected)
})

test.each<[string, JsonSchema, unknown, unknown]>([
  ['a scalar', object({ a: { type: 'number', default: 3 } }), {}, { a: 3 }],
  [
    'an object, which is prepared too',
    object({ a: { ...object({ b: maybe }), default: {} } }),
    {},
    { a: { b: null } },
  ],
  [
    'a nullable key that is not required',
    object({ a: { ...maybe, default: 'x' } }),
    {},
    { a: 'x' },
  ],
  ['a key that is there stays', object({ a: { type: 'number', default: 3 } }), { a: 4 }, { a: 4 }],
])('a default is applied: %s', (...[, schema, value, expected]) => {
  expect(prepareValue(schema, value)).toEqual(expected)
})

test('a required nullable key is null, whatever its default', () => {
  expect(prepareValue(object({ a: { ...maybe, default: 'x' } }, { required: ['a'] }), {})).toEqual({
    a: null,
  })
})

test('defaults are left to schemas that apply their own', () => {
  const schema = object({
    a: { type: 'number', default: 3 },
    b: { ...maybe, default: 'x' },
    c: maybe,
  })
  expect(prepareValue(schema, {}, { defaults: false })).toEqual({ c: null })
})

test('a default is copied for every value', () => {
  const schema = object({ list: { type: 'array', default: [1] } })
  const first = prepareValue(schema, {}) as { list: number[] }
  first.list.push(2)
  expect(prepareValue(schema, {})).toEqual({ list: [1] })
})

test.each<[string, JsonSchema, unknown, unknown]>([
  ['dropped where keys are named', object({ a: text }), { a: 'x', b: 1 }, { a: 'x' }],
  [
    'dropped at every depth',
    object({ l: { type: 'array', items: object({}) } }),
    { l: [{ b: 1 }] },
    { l: [{}] },
  ],
  [
    'kept where others are allowed',
    object({ a: text }, { additionalProperties: true }),
    { b: 1 },
    { b: 1 },
  ],
  ['kept where nothing is said', { type: 'object' }, { b: 1 }, { b: 1 }],
  ['dropped where none is allowed', { type: 'object', additionalProperties: false }, { b: 1 }, {}],
  [
    'kept where a pattern fits',
    object({}, { patternProperties: { '^x': {} } }),
    { x1: 1, y: 1 },
    { x1: 1 },
  ],
  ['kept when required', object({}, { required: ['b'] }), { b: 1 }, { b: 1 }],
])('unknown keys are %s', (...[, schema, value, expected]) => {
  expect(prepareValue(schema, value)).toEqual(expected)
})

const tagged = object({
  shape: {
    oneOf: [
      object({ kind: { const: 'a' }, n: maybe, only: text }, { required: ['kind', 'n'] }),
      object({ kind: { const: 'b' }, m: maybe }, { required: ['kind', 'm'] }),
    ],
  },
})

test('the branch of a union is chosen by its tag, and only that branch fills and strips', () => {
  expect(prepareValue(tagged, { shape: { kind: 'a', m: 'x', z: 1 } })).toEqual({
    shape: { kind: 'a', n: null },
  })
  expect(prepareValue(tagged, { shape: { kind: 'b' } })).toEqual({ shape: { kind: 'b', m: null } })
})

test('with two possible branches nothing is changed, except keys that neither knows are dropped', () => {
  const schema = object({ u: { anyOf: [object({ a: maybe }), object({ b: maybe })] } })
  expect(prepareValue(schema, { u: { c: 1, a: 'x', b: 'y' } })).toEqual({ u: { a: 'x', b: 'y' } })
})

test('an optional key is not filled in if its presence would violate a rule', () => {
  const either = object(
    { a: maybe, b: maybe },
    { oneOf: [{ required: ['a'] }, { required: ['b'] }] },
  )
  expect(prepareValue(either, { a: 'x' })).toEqual({ a: 'x' })
  const few = object({ a: maybe, b: maybe }, { maxProperties: 1 })
  expect(prepareValue(few, { a: 'x' })).toEqual({ a: 'x' })
  const dependent = object({ a: maybe, b: text }, { dependentRequired: { a: ['b'] } })
  expect(prepareValue(dependent, {})).toEqual({})
})

test('nothing is coerced, and values of another type are unchanged', () => {
  const schema = object({
    n: { type: 'number' },
    o: object({ a: maybe }),
    l: { type: 'array', items: object({}) },
  })
  const value = { n: '12', o: 'text', l: { 0: {} } }
  expect(prepareValue(schema, value)).toBe(value)
})

test('an unchanged value is returned itself, and no value is changed in place', () => {
  const schema = object({ a: maybe, o: object({ b: maybe }) })
  const whole = { a: 'x', o: { b: null } }
  expect(prepareValue(schema, whole)).toBe(whole)
  const frozen = Object.freeze({ o: Object.freeze({ z: 1 }) })
  expect(prepareValue(schema, frozen)).toEqual({ a: null, o: { b: null } })
})

test('a key with a name from the prototype is an ordinary unknown key', () => {
  const value: unknown = JSON.parse('{"__proto__":{"polluted":true},"constructor":1,"b":"x"}')
  const prepared = prepareValue(object({ a: maybe, b: text }), value) as object
  expect(Object.keys(prepared).sort()).toEqual(['a', 'b'])
  expect(Object.getPrototypeOf(prepared)).toBe(Object.prototype)
  expect(({} as Record<string, unknown>)['polluted']).toBe(undefined)
})

test('keys that every object inherits count as missing', () => {
  const prepared = prepareValue(object({ constructor: maybe, toString: maybe }), {})
  expect(Object.entries(prepared as object)).toEqual([
    ['constructor', null],
    ['toString', null],
  ])
})

test('a recursive object is not expanded by its default', () => {
  const schema = object(
    { a: { $ref: '#/$defs/n' } },
    { $defs: { n: { ...object({ a: { $ref: '#/$defs/n' } }), default: {} } } },
  )
  expect(prepareValue(schema, {})).toEqual({})
})
