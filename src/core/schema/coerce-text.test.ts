import { expect, test } from 'vitest'
import { coerceText, type RawText } from './coerce-text.ts'

const list = (items: object) => ({ type: 'array', items })
const ints = list({ type: 'integer' })

test.each<[RawText, object, unknown]>([
  ['12', { type: 'number' }, 12],
  ['-1.5e3', { type: 'number' }, -1500],
  ['12', { type: 'string' }, '12'],
  ['', { type: 'string' }, ''],
  ['true', { type: 'boolean' }, true],
  ['no', { type: 'boolean' }, false],
  [true, { type: 'boolean' }, true],
  ['null', { type: ['number', 'null'] }, null],
  ['', { type: ['string', 'null'] }, null],
  ['', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, null],
  ['null', { type: 'string' }, 'null'],
  ['2', { enum: [1, 2] }, 2],
  ['2', { enum: ['1', '2'] }, '2'],
  ['{"a":1}', { type: 'object' }, { a: 1 }],
  ['[1,2]', ints, [1, 2]],
  ['1', ints, [1]],
  [['1', '2'], ints, [1, 2]],
  [['a'], { type: 'string' }, 'a'],
  [['a', '1'], { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] }, ['a', 1]],
  [['1'], { anyOf: [ints, { type: 'null' }] }, [1]],
  ['12', { type: ['string', 'number'] }, 12],
  ['x', {}, 'x'],
  ['7', { $ref: '#/$defs/n', $defs: { n: { type: 'number' } } }, 7],
])('%j for %j is %j', (raw, schema, value) => {
  expect(coerceText(schema as Record<string, unknown>, raw)).toEqual({ ok: true, value })
})

test.each<[RawText, object, string, string]>([
  ['twelve', { type: 'number' }, '', 'must be a number, got "twelve"'],
  ['0x10', { type: 'integer' }, '', 'must be a whole number, got "0x10"'],
  ['maybe', { type: 'boolean' }, '', 'must be true or false, got "maybe"'],
  ['{"a":', { type: 'object' }, '', 'must be an object, as JSON, got "{\\"a\\":"'],
  [true, { type: 'string' }, '', 'needs a value: a string'],
  [['1', 'x'], ints, '/1', 'must be a whole number, got "x"'],
  [['a', 'b'], { type: 'string' }, '', 'must be given once, was given 2 times'],
])('%j for %j is refused with a message', (...[raw, schema, path, message]) => {
  expect(coerceText(schema as Record<string, unknown>, raw)).toEqual({
    ok: false,
    issues: [{ path, message }],
  })
})
