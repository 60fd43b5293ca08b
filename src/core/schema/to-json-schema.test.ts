import { expect, test } from 'vitest'
import { z } from 'zod'
import { toJsonSchema } from './to-json-schema.ts'

test('zod schemas become plain 2020-12 without zod-specific parts', () => {
  const schema = z.object({
    id: z.uuid(),
    at: z.iso.datetime(),
    every: z.iso.duration().nullable(),
    host: z.hostname(),
    count: z.int().min(1),
    labels: z.record(z.string(), z.string()),
  })
  const json = toJsonSchema(schema, 'input')
  expect(json).toEqual({
    type: 'object',
    properties: {
      id: { type: 'string', format: 'uuid' },
      at: { type: 'string', format: 'date-time' },
      every: { anyOf: [{ type: 'string', format: 'duration' }, { type: 'null' }] },
      host: { type: 'string', format: 'hostname' },
      count: { type: 'integer', minimum: 1 },
      labels: { type: 'object', additionalProperties: { type: 'string' } },
    },
    required: ['id', 'at', 'every', 'host', 'count', 'labels'],
  })
  expect(Reflect.ownKeys(json)).toEqual(['type', 'properties', 'required'])
})

test('the input side is before defaults and transforms, the output side after them', () => {
  const schema = z.object({
    n: z.number().default(1),
    t: z.string().transform(Number).pipe(z.number()),
  })
  expect(toJsonSchema(schema, 'input')).toEqual({
    type: 'object',
    properties: { n: { default: 1, type: 'number' }, t: { type: 'string' } },
    required: ['t'],
  })
  expect(toJsonSchema(schema, 'output')).toEqual({
    type: 'object',
    properties: { n: { default: 1, type: 'number' }, t: { type: 'number' } },
    required: ['n', 't'],
    additionalProperties: false,
  })
})

test('the same schema gives the same object, and a result converts to itself', () => {
  const schema = z.object({ a: z.string() })
  const json = toJsonSchema(schema, 'input')
  expect(toJsonSchema(schema, 'input')).toBe(json)
  expect(toJsonSchema(json, 'output')).toBe(json)
})

test("the result of zod's toJSONSchema is treated as the schema it was made from", () => {
  const made = z.toJSONSchema(z.object({ a: z.string() }))
  expect(toJsonSchema(made as never, 'input')).toEqual({
    type: 'object',
    properties: { a: { type: 'string' } },
    required: ['a'],
  })
})

test('a schema of another library is used through its JSON Schema', () => {
  const converter = () => ({ $schema: 'x', type: 'object', properties: { a: { type: 'string' } } })
  const foreign = {
    '~standard': {
      version: 1 as const,
      vendor: 'other',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: converter, output: converter },
    },
  }
  expect(toJsonSchema(foreign, 'input')).toEqual({
    type: 'object',
    properties: { a: { type: 'string' } },
  })
})

test('syntax of older drafts is updated', () => {
  const old = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    properties: {
      pair: { type: 'array', items: [{ type: 'string' }], additionalItems: false },
      n: {
        type: 'number',
        minimum: 0,
        exclusiveMinimum: true,
        maximum: 9,
        exclusiveMaximum: false,
      },
    },
    dependencies: { n: ['pair'], pair: { required: ['n'] } },
  }
  expect(toJsonSchema(old, 'input')).toEqual({
    type: 'object',
    properties: {
      pair: { type: 'array', prefixItems: [{ type: 'string' }], items: false },
      n: { type: 'number', exclusiveMinimum: 0, maximum: 9 },
    },
    dependentRequired: { n: ['pair'] },
    dependentSchemas: { pair: { required: ['n'] } },
  })
})

const cyclic: Record<string, unknown> = { type: 'object' }
cyclic['properties'] = { a: cyclic }

test.each([
  ['a string', z.string(), ''],
  ['a union of objects', z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]), ''],
  ['an array', { type: 'array', items: {} }, ''],
  ['no type at all', {}, ''],
  ['a date', z.object({ list: z.array(z.date()) }), '/properties/list/items'],
  ['a bigint', z.object({ n: z.bigint() }), '/properties/n'],
  ['a map', z.object({ m: z.map(z.string(), z.string()) }), '/properties/m'],
  ['a lookahead', z.object({ a: z.string().regex(/^(?!x)/) }), '/properties/a/pattern'],
  ['a cycle of objects', cyclic, ''],
  ['a function', { type: 'object', properties: { a: () => 1 } }, undefined],
  ['null', null, ''],
  ['zod 3', { '~standard': { version: 1, vendor: 'zod', validate: () => ({ value: 1 }) } }, ''],
])('%s is refused with its place', (_, schema, path) => {
  if (path === undefined) {
    // JSON drops functions as always.
    expect(toJsonSchema(schema as never, 'input')).toEqual({ type: 'object', properties: {} })
    return
  }
  expect(() => toJsonSchema(schema as never, 'input')).toThrow(
    expect.objectContaining({
      code: 'invalid_schema',
      issues: [expect.objectContaining({ path })],
    }),
  )
})

test('an output that is a transform without a type is refused with a fix', () => {
  expect(() => toJsonSchema(z.object({ n: z.string().transform(Number) }), 'output')).toThrow(
    /\.pipe\(/,
  )
})
