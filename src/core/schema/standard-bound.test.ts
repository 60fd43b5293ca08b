import { expect, test } from 'vitest'
import { compileValidator } from './compile-validator.ts'
import type { JsonSchema } from '../kernel/json.ts'
import type { StandardIssue, StandardSchema } from './schema-like.ts'
import { toJsonSchema } from './to-json-schema.ts'
import { toInputParser } from './to-parser.ts'

interface Library {
  schema: StandardSchema
  /** How many values it was asked to check. */
  asked: () => number
}

/** Reads a list like valibot and arktype: every wrong item is recorded with its path. */
function openLibrary(item: JsonSchema, fits: (item: unknown) => boolean): Library {
  let asked = 0
  const json = {
    type: 'object',
    properties: { items: { type: 'array', items: item } },
    required: ['items'],
  }
  return {
    asked: () => asked,
    schema: {
      '~standard': {
        version: 1,
        vendor: 'other',
        validate(value) {
          asked += 1
          const { items = [] } = value as { items?: unknown[] }
          const issues: StandardIssue[] = []
          for (const [index, one] of items.entries()) {
            const path = [{ key: 'items' }, { key: index, value: one, input: items }]
            if (!fits(one)) issues.push({ message: `No good: ${JSON.stringify(one)}`, path })
          }
          return issues.length > 0 ? { issues } : { value }
        },
        jsonSchema: { input: () => json, output: () => json },
      },
    },
  }
}

const isText = (value: unknown) => typeof value === 'string'
const wrong = { items: Array.from({ length: 400_000 }, () => 1) }

/** The shortest of several runs each, in turns: other load on the machine only makes one longer. */
function fastest(...works: (() => void)[]): number[] {
  const best = works.map(() => Infinity)
  for (let round = 0; round < 7; round += 1) {
    for (const [at, work] of works.entries()) {
      const began = performance.now()
      work()
      best[at] = Math.min(best[at]!, performance.now() - began)
    }
  }
  return best
}

test('400,000 wrong items never reach the library, and cost what our own validator costs', () => {
  const { schema, asked } = openLibrary({ type: 'string' }, isText)
  const json = toJsonSchema(schema, 'input')
  const parse = toInputParser(schema, json)
  const parseByOurs = toInputParser(json, json)
  const result = parse(wrong)
  expect(result.ok ? [] : result.issues).toHaveLength(101)
  expect(asked()).toBe(0)
  const [theirs = Infinity, ours = 0] = fastest(
    () => parse(wrong),
    () => parseByOurs(wrong),
  )
  expect(theirs).toBeLessThan(ours * 3 + 5)
  expect(asked()).toBe(0)
})

test("a value with few problems gets the author's own messages", () => {
  const { schema, asked } = openLibrary({ type: 'string' }, isText)
  const parse = toInputParser(schema, toJsonSchema(schema, 'input'))
  expect(parse({ items: ['a', 1] })).toEqual({
    ok: false,
    issues: [{ path: '/items/1', message: 'No good: 1' }],
  })
  expect(parse({ items: ['a'] })).toEqual({ ok: true, value: { items: ['a'] } })
  expect(asked()).toBe(2)
})

test('a value that takes our validator too long is not passed to the library', () => {
  const nested = (depth: number): unknown => (depth === 0 ? 'x' : { a: nested(depth - 1) })
  const branch = { type: 'object', properties: { a: { $ref: '#/$defs/node' } }, required: ['a'] }
  const node = { anyOf: [branch, { ...branch, maxProperties: 1 }, { const: 1 }] }
  const json = {
    type: 'object',
    properties: { a: { $ref: '#/$defs/node' } },
    required: ['a'],
    $defs: { node },
  }
  let asked = 0
  const schema: StandardSchema = {
    '~standard': {
      version: 1,
      vendor: 'other',
      validate(value) {
        asked += 1
        return { value }
      },
      jsonSchema: { input: () => json, output: () => json },
    },
  }
  const converted = toJsonSchema(schema, 'input')
  const deep = { a: nested(40) }
  expect(compileValidator(converted)(deep).at(-1)?.message).toMatch(/takes too long/)
  expect(toInputParser(schema, converted)(deep).ok).toBe(false)
  expect(asked).toBe(0)
})

test('a library with a quick check is asked for nothing more about a large value', () => {
  const { schema, asked } = openLibrary({ type: 'number' }, (item) => item !== 1)
  const allows = (value: unknown) => !(value as { items: unknown[] }).items.includes(1)
  const quick = Object.assign(() => undefined, schema, { allows })
  const parse = toInputParser(quick, toJsonSchema(quick, 'input'))
  expect(parse(wrong)).toEqual({
    ok: false,
    issues: [{ path: '', message: 'violates a rule of the schema' }],
  })
  expect(asked()).toBe(0)
  expect(parse({ items: [1] })).toMatchObject({ ok: false, issues: [{ message: 'No good: 1' }] })
})
