import { expect, test } from 'vitest'
import { isToolError } from '../kernel/errors.ts'
import type { JsonSchema } from '../kernel/tool.ts'
import { toJsonSchema } from './to-json-schema.ts'
import { toJsonParser } from './to-parser.ts'

/** Generous, because tests run on busy machines; every case takes a fraction of it. */
const maxMs = 5000

const nest = <T>(depth: number, leaf: T, wrap: (inner: T) => T): T => {
  let value = leaf
  for (let level = 0; level < depth; level += 1) value = wrap(value)
  return value
}
const chain = (length: number, link: (next: object) => object, last: object) =>
  Object.fromEntries(
    Array.from({ length: length + 1 }, (_, index) => [
      `d${index}`,
      index === length ? last : link({ $ref: `#/$defs/d${index + 1}` }),
    ]),
  )
const start = { a: { $ref: '#/$defs/d0' } }
const text = { type: 'string' }
const untagged = (key: string) => ({
  type: 'object',
  properties: { x: { $ref: '#/$defs/n' }, [key]: text },
})
const tagged = (kind: string) => ({
  type: 'object',
  properties: { x: { $ref: '#/$defs/n' }, kind: { const: kind } },
})
const twice = (next: object) => ({ type: 'object', default: {}, properties: { x: next, y: next } })

interface Hostile {
  schema: JsonSchema
  value: unknown
  answer: 'taken' | 'refused' | 'no schema'
}

const corpus: Record<string, Hostile> = {
  'a union doubled fifteen times': {
    schema: {
      type: 'object',
      properties: { a: nest<object>(15, text, (inner) => ({ anyOf: [inner, inner] })) },
    },
    value: { a: 1 },
    answer: 'no schema',
  },
  'a union doubled within the bounds': {
    schema: {
      type: 'object',
      properties: {
        a: nest<object>(7, { ...text, minLength: 3 }, (inner) => ({ anyOf: [inner, inner] })),
      },
    },
    value: { a: 'x' },
    answer: 'refused',
  },
  'references that double 150 times': {
    schema: {
      type: 'object',
      properties: start,
      $defs: chain(150, (next) => ({ anyOf: [next, next] }), { ...text, minLength: 2 }),
    },
    value: { a: 'x' },
    answer: 'refused',
  },
  'defaults that double 100 times': {
    schema: { type: 'object', properties: start, $defs: chain(100, twice, text) },
    value: {},
    answer: 'taken',
  },
  'a union that goes down by two branches': {
    schema: {
      type: 'object',
      properties: { x: { $ref: '#/$defs/n' } },
      $defs: { n: { anyOf: [untagged('a'), untagged('b')] } },
    },
    value: nest<object>(100, { a: 1, b: 1 }, (x) => ({ x, a: 'x', b: 'x' })),
    answer: 'refused',
  },
  'a tagged union a hundred levels deep': {
    schema: {
      type: 'object',
      properties: { x: { $ref: '#/$defs/n' } },
      $defs: { n: { anyOf: [tagged('a'), tagged('b')] } },
    },
    value: nest<object>(100, { kind: 'a' }, (x) => ({ x, kind: 'b' })),
    answer: 'taken',
  },
  'a value ten thousand levels deep': {
    schema: { type: 'object', properties: { x: { $ref: '#' } } },
    value: nest<object>(10_000, {}, (x) => ({ x })),
    answer: 'refused',
  },
  'an array ten thousand levels deep where anything goes': {
    schema: { type: 'object', properties: { x: {} } },
    value: { x: nest<unknown[]>(10_000, [], (inner) => [inner]) },
    answer: 'refused',
  },
  'a value that shares its parts until it has 2⁶⁰': {
    schema: { type: 'object', properties: { a: { $ref: '#' }, b: { $ref: '#' } } },
    value: nest<object>(60, {}, (inner) => ({ a: inner, b: inner })),
    answer: 'refused',
  },
  'a pattern that backtracks for ever elsewhere': {
    schema: { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } },
    value: { a: `${'a'.repeat(100_000)}!` },
    answer: 'refused',
  },
  'a large pattern on a large text': {
    schema: {
      type: 'object',
      properties: { a: { type: 'string', pattern: `(${'\\pL?'.repeat(200)})$` } },
    },
    value: { a: `${'é'.repeat(500_000)}1` },
    answer: 'refused',
  },
  'as many patterns as are allowed': {
    schema: {
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 8 }, (_, i) => [`p${i}`, { pattern: `^${i}${'\\pL?'.repeat(240)}$` }]),
      ),
    },
    value: {},
    answer: 'taken',
  },
  'an enum of seven thousand': {
    schema: {
      type: 'object',
      properties: { a: { enum: Array.from({ length: 7000 }, (_, i) => `v${i}`) } },
    },
    value: { a: 'none' },
    answer: 'refused',
  },
  'half a million wrong items': {
    schema: { type: 'object', properties: { a: { type: 'array', items: text } } },
    value: { a: Array.from({ length: 500_000 }, () => 1) },
    answer: 'refused',
  },
  'rows of hundreds of keys to fill in': {
    schema: {
      type: 'object',
      properties: {
        rows: {
          type: 'array',
          items: {
            type: 'object',
            properties: Object.fromEntries(
              Array.from({ length: 400 }, (_, i) => [`k${i}`, { type: ['string', 'null'] }]),
            ),
          },
        },
      },
    },
    value: { rows: Array.from({ length: 50_000 }, () => ({})) },
    answer: 'refused',
  },
}

test.each(Object.entries(corpus))('%s gets an answer in time', (_, { schema, value, answer }) => {
  // The best of three tries: a worker of tests has other threads, and beside others it is slower.
  let bestMs = Infinity
  for (let round = 0; round < 3 && bestMs >= maxMs; round += 1) {
    const startedAt = cpuMs()
    expect(judge(schema, value)).toBe(answer)
    bestMs = Math.min(bestMs, cpuMs() - startedAt)
  }
  expect(bestMs).toBeLessThan(maxMs)
})

function judge(schema: JsonSchema, value: unknown): Hostile['answer'] {
  try {
    return toJsonParser(toJsonSchema(schema, 'input'))(value).ok ? 'taken' : 'refused'
  } catch (error) {
    if (isToolError(error) && error.code === 'invalid_schema') return 'no schema'
    throw error
  }
}

/** Of this process: other tests running at the same time do not count. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
