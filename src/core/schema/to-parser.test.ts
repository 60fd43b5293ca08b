import { expect, test } from 'vitest'
import { z } from 'zod'
import { toJsonSchema } from './to-json-schema.ts'
import { toInputParser, toJsonParser } from './to-parser.ts'
import type { SchemaLike } from './schema-like.ts'

const parserOf = (schema: SchemaLike) => toInputParser(schema, toJsonSchema(schema, 'input'))

test("zod's transforms, defaults and refinements work", () => {
  const parse = parserOf(
    z
      .object({
        from: z.string().transform(Number),
        to: z.number().default(10),
        note: z.string().nullable(),
      })
      .refine((value) => value.from < value.to, {
        error: 'from must be before to',
        path: ['from'],
      }),
  )
  expect(parse({ from: '1', more: 1 })).toEqual({
    ok: true,
    value: { from: 1, to: 10, note: null },
  })
  expect(parse({ from: '99' })).toEqual({
    ok: false,
    issues: [{ path: '/from', message: 'from must be before to' }],
  })
})

test('a default after a transform is not sent through it', () => {
  expect(parserOf(z.object({ n: z.string().transform(Number).default(3) }))({})).toEqual({
    ok: true,
    value: { n: 3 },
  })
})

test("our messages replace zod's, the author's own stay", () => {
  const parse = parserOf(
    z.object({
      age: z.number(),
      name: z.string({ error: 'Tell me your name' }),
      size: z.enum(['s', 'm']),
    }),
  )
  expect(parse({ age: 'x', size: 'xl' })).toEqual({
    ok: false,
    issues: [
      { path: '/name', message: 'Tell me your name' },
      { path: '/age', message: 'must be a number, got a string' },
      { path: '/size', message: 'must be one of "s" or "m"' },
    ],
  })
})

test('a schema that checks asynchronously is refused with a fix', () => {
  const schema = z.object({ a: z.string().refine(async () => false) })
  expect(parserOf(schema)({ a: 'x' })).toEqual({
    ok: false,
    issues: [{ path: '', message: expect.stringMatching(/asynchronously.*in execute/) as string }],
  })
})

test('a schema that throws gives an error, not an exception', () => {
  const schema = z.object({
    a: z.string().refine(() => {
      throw new Error('boom')
    }),
  })
  expect(parserOf(schema)({ a: 'x' })).toMatchObject({
    ok: false,
    issues: [{ message: expect.stringContaining('boom') as string }],
  })
})

test.each([
  ['a date', { a: new Date(0) }, '/a', 'must be a JSON value, got an instance of Date'],
  ['a bigint', { a: 1n }, '/a', 'must be a JSON value, got a bigint'],
  ['a function', { a: () => 1 }, '/a', 'must be a JSON value, got a function'],
  ['not a number', { a: [Number.NaN] }, '/a/0', 'must be a JSON value, got NaN'],
  ['a map', { a: new Map() }, '/a', 'must be a JSON value, got an instance of Map'],
])('%s is not JSON and is refused', (...[, value, path, message]) => {
  expect(toJsonParser({ type: 'object', additionalProperties: true })(value)).toEqual({
    ok: false,
    issues: [{ path, message }],
  })
})

test('a value that is valid only as it arrived is used unchanged', () => {
  const parse = toJsonParser({ type: 'object', properties: { a: {} }, minProperties: 2 })
  expect(parse({ a: 1, b: 2 })).toEqual({ ok: true, value: { a: 1, b: 2 } })
})

test('input that is not an object is refused with a message', () => {
  expect(parserOf(z.object({}))('text')).toEqual({
    ok: false,
    issues: [{ path: '', message: 'must be an object, got a string' }],
  })
})
