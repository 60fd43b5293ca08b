import { expect, test } from 'vitest'
import type { JsonSchema } from '../../kernel/tool.ts'
import { checkBounds } from './check-bounds.ts'

const text = { type: 'string' }
const inProperty = (schema: unknown, $defs?: unknown) => ({
  type: 'object',
  properties: { a: schema },
  ...(($defs ? { $defs } : {}) as object),
})
const nested = (depth: number): JsonSchema => (depth === 0 ? text : { items: nested(depth - 1) })
const doubled = (depth: number): JsonSchema =>
  depth === 0 ? text : { anyOf: [doubled(depth - 1), doubled(depth - 1)] }

test.each([
  ['references into definitions', inProperty({ $ref: '#/$defs/t' }, { t: text })],
  ['a reference to the root, through a property', inProperty({ $ref: '#' })],
  ['a reference by anchor', inProperty({ $ref: '#t' }, { t: { $anchor: 't', ...text } })],
  [
    'a list of itself',
    inProperty({ $ref: '#/$defs/l' }, { l: { type: 'array', items: { $ref: '#/$defs/l' } } }),
  ],
  [
    'properties named like keywords',
    { type: 'object', properties: { $ref: text, enum: text, constructor: text } },
  ],
  ['sixteen levels', nested(15)],
  ['unknown keywords', { type: 'object', 'x-order': 1, discriminator: { propertyName: 'kind' } }],
  ['a pattern that would be slow elsewhere', inProperty({ type: 'string', pattern: '^(a+)+$' })],
])('%s is within the limits', (_, schema) => {
  expect(checkBounds(schema)).toBe(undefined)
})

test.each([
  ['too large', { type: 'object', description: 'x'.repeat(70_000) }, ''],
  ['too deep', nested(16), '/items'.repeat(16)],
  ['too many schemas', doubled(9), ''],
  ['a remote reference', inProperty({ $ref: 'https://example.com/s.json' }), '/properties/a/$ref'],
  ['a file reference', inProperty({ $ref: 'file:///etc/passwd' }), '/properties/a/$ref'],
  ['a reference to nowhere', inProperty({ $ref: '#/$defs/none' }), '/properties/a/$ref'],
  [
    'a reference into an enum',
    inProperty({ $ref: '#/properties/a/enum/0', enum: [{}] }),
    '/properties/a/$ref',
  ],
  [
    'a loop of two',
    inProperty({ $ref: '#/$defs/a' }, { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }),
    '/$defs/a',
  ],
  [
    'a loop through a union',
    inProperty({ $ref: '#/$defs/a' }, { a: { anyOf: [text, { $ref: '#/$defs/a' }] } }),
    '/$defs/a',
  ],
  ['itself', { type: 'object', allOf: [{ $ref: '#' }] }, ''],
  ['a dynamic reference', inProperty({ $dynamicRef: '#x' }), '/properties/a/$dynamicRef'],
  ['an identity inside', inProperty({ $id: 'other' }), '/properties/a/$id'],
  ['a lookbehind', inProperty({ pattern: '(?<=a)b' }), '/properties/a/pattern'],
  ['a backreference', inProperty({ pattern: '(a)\\1' }), '/properties/a/pattern'],
  ['a broken pattern', inProperty({ pattern: '(' }), '/properties/a/pattern'],
  [
    'a broken pattern of keys',
    inProperty({ patternProperties: { '[': {} } }),
    '/properties/a/patternProperties',
  ],
  ['a huge repetition', inProperty({ pattern: '((a{100}){100}){100}' }), '/properties/a/pattern'],
  [
    'a prototype as a property',
    JSON.parse('{"type":"object","properties":{"__proto__":{}}}'),
    '/properties',
  ],
  ['a prototype as required', { type: 'object', required: ['__proto__'] }, '/required'],
  ['an unknown type', inProperty({ type: 'text' }), '/properties/a/type'],
  ['an empty union', inProperty({ anyOf: [] }), '/properties/a/anyOf'],
  ['a negative length', inProperty({ minLength: -1 }), '/properties/a/minLength'],
  ['required as a flag', inProperty({ required: true }), '/properties/a/required'],
  ['properties as a list', { type: 'object', properties: [] }, '/properties'],
  ['a number for a schema', inProperty({ items: 7 }), '/properties/a/items'],
])('%s is refused with its place', (_, schema, path) => {
  expect(() => checkBounds(schema as JsonSchema)).toThrow(
    expect.objectContaining({
      code: 'invalid_schema',
      issues: [{ path, message: expect.any(String) as string }],
    }),
  )
})
