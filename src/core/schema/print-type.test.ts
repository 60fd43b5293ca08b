import { z } from 'zod'
import { expect, test } from 'vitest'
import { printToolTypes } from './print-tool-types.ts'
import { printType } from './print-type.ts'
import { toJsonSchema } from './to-json-schema.ts'

const cases: [name: string, schema: z.ZodType, type: string][] = [
  [
    'texts, numbers and lists',
    z.object({ a: z.string(), b: z.array(z.int()) }),
    '{\n  a: string\n  b: number[]\n}',
  ],
  ['a choice', z.object({ a: z.enum(['x', 'y']).optional() }), '{\n  a?: "x" | "y"\n}'],
  ['null', z.object({ a: z.string().nullable() }), '{\n  a: string | null\n}'],
  [
    'lists of choices',
    z.object({ a: z.array(z.union([z.string(), z.number()])) }),
    '{\n  a: (string | number)[]\n}',
  ],
  [
    'a map',
    z.object({ a: z.record(z.string(), z.number()) }),
    '{\n  a: { [key: string]: number }\n}',
  ],
  ['a pair', z.object({ a: z.tuple([z.string(), z.number()]) }), '{\n  a: [string, number]\n}'],
  ['a constant', z.object({ kind: z.literal('card') }), '{\n  kind: "card"\n}'],
  [
    'keys that are no names',
    z.object({ "it's": z.boolean(), 'a-b': z.unknown() }),
    "{\n  'it\\'s': boolean\n  'a-b': unknown\n}",
  ],
]

test.each(cases)('%s', (_, schema, type) => {
  expect(printType(toJsonSchema(schema, 'output'))).toBe(type)
})

test('descriptions and defaults are comments that their text cannot end', () => {
  const schema = z.object({
    a: z.string().describe('The */ first'),
    b: z.int().default(3).describe('Two\nlines'),
  })
  expect(printType(toJsonSchema(schema, 'input')).split('\n')).toEqual([
    '{',
    '  /** The *\\/ first */',
    '  a: string',
    '  /**',
    '   * Two',
    '   * lines',
    '   * Default: `3`.',
    '   */',
    '  b?: number',
    '}',
  ])
})

test('a recursive schema ends, and so do references that multiply', () => {
  const tree = { type: 'object', properties: { child: { $ref: '#' } } }
  expect(printType(tree)).toBe('{\n  child?: unknown\n}')
  const levels = Array.from({ length: 40 }, (_, index) => {
    const next = { $ref: `#/$defs/l${index + 1}` }
    return [`l${index}`, { type: 'object', properties: { a: next, b: next } }]
  })
  const bomb = { $ref: '#/$defs/l0', $defs: { ...Object.fromEntries(levels), l40: {} } }
  expect(printType(bomb).length).toBeLessThan(2_000_000)
})

test('a tool is printed with the input that callers send, and without an unknown output', () => {
  const inputSchema = toJsonSchema(z.object({ a: z.string(), b: z.int().nullable() }), 'input')
  const text = printToolTypes([{ name: 'x.y', description: 'Does it.', inputSchema }])
  expect(text.split('\n').slice(2)).toEqual([
    'interface ToolcribTools {',
    '  /** Does it. */',
    "  'x.y': {",
    '    input: {',
    '      a: string',
    '      b?: number | null',
    '    }',
    '  }',
    '}',
    '',
  ])
})
