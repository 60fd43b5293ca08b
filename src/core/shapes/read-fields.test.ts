import fc from 'fast-check'
import { expect, test } from 'vitest'
import { variants } from '../../../test/setup/run-length.ts'
import { type Field, fieldSchema, type FieldShape } from './field.ts'
import { phonePattern, toFieldSchema, toObjectSchema } from './field-schema.ts'
import { readField, readFields, writeFields } from './read-fields.ts'

const [numRuns = 100] = variants([200], [20_000])

const text = fc.string({ maxLength: 8 })
const count = fc.integer({ min: 0, max: 9 })
const limits = { minLength: count, maxLength: count }
const facts = {
  label: text,
  description: text,
  nullable: fc.constant(true),
  default: fc.oneof(text, count, fc.boolean(), fc.constant(null)),
}
const of = (type: string, required: object, optional: object = {}) =>
  fc.record(
    { type: fc.constant(type), ...required, ...optional, ...facts },
    { requiredKeys: ['type', ...Object.keys(required)] as never },
  )
const { shape } = fc.letrec<{ shape: FieldShape; field: Field }>((tie) => ({
  shape: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    of(
      'text',
      {},
      { ...limits, format: fc.constantFrom('textarea', 'markdown'), pattern: fc.constant('^a') },
    ),
    of('number', {}, { isInteger: fc.constant(true), minimum: count, maximum: count }),
    of('boolean', {}),
    of('date', {}, { hasTime: fc.constant(true) }),
    of(
      'enum',
      {
        choices: fc.array(
          fc.record({ value: fc.oneof(text, count), title: text }, { requiredKeys: ['value'] }),
          { minLength: 1, maxLength: 3 },
        ),
      },
      { isMultiple: fc.constant(true) },
    ),
    of('url', {}, limits),
    of('email', {}, limits),
    of('phone', {}),
    of('media', {}, { mediaType: fc.constant('image/*') }),
    of('relation', { entityType: fc.constant('customer') }, { select: fc.constant('name') }),
    of('array', { item: tie('shape') }, { minItems: count, maxItems: count }),
    of('object', { fields: fc.uniqueArray(tie('field'), { maxLength: 3, selector: keyOf }) }),
  ) as fc.Arbitrary<FieldShape>,
  field: fc
    .tuple(tie('shape'), fc.string({ minLength: 1, maxLength: 6 }), fc.boolean())
    .filter(([, key]) => key !== '__proto__' && !/^\d/.test(key))
    .map(([shape, key, isRequired]) => ({ ...shape, key, isRequired })),
}))

function keyOf({ key }: Field): string {
  return key
}

test('every field is a schema that reads as the same field', () => {
  fc.assert(
    fc.property(shape, (field) => {
      expect(readField(toFieldSchema(field))).toEqual(field)
    }),
    { numRuns },
  )
})

const schemas: [name: string, schema: unknown, type: FieldShape['type']][] = [
  ['a text with limits', { type: 'string', minLength: 1 }, 'text'],
  ['an unknown format', { type: 'string', format: 'ipv4' }, 'json'],
  ['a number that must be a multiple', { type: 'number', multipleOf: 5 }, 'json'],
  ['a number or null', { type: ['integer', 'null'] }, 'number'],
  ['null or a number', { type: ['null', 'integer'] }, 'json'],
  ['a number or a text', { type: ['integer', 'string'] }, 'json'],
  ['a phone number', { type: 'string', pattern: phonePattern }, 'phone'],
  ['constants with titles', { oneOf: [{ const: 1, title: 'One' }, { const: 2 }] }, 'enum'],
  [
    'constants or null',
    { anyOf: [{ oneOf: [{ const: 1, title: 'One' }] }, { type: 'null' }] },
    'enum',
  ],
  ['branches of objects', { oneOf: [{ type: 'object' }, { type: 'string' }] }, 'json'],
  ['a map', { type: 'object', additionalProperties: { type: 'string' } }, 'json'],
  ['a closed object', { type: 'object', properties: {}, additionalProperties: false }, 'object'],
  ['a reference', { $ref: '#/$defs/address' }, 'json'],
  ['a tuple', { type: 'array', prefixItems: [{ type: 'string' }] }, 'json'],
  ['a list of anything', { type: 'array' }, 'json'],
  ['anything', true, 'json'],
]

test.each(schemas)('%s keeps its meaning', (_name, schema, type) => {
  expect(readField(schema).type).toBe(type)
  const { fields, isOpen, rest } = readFields({
    type: 'object',
    properties: { one: schema },
    required: ['one'],
    $defs: { address: {} },
  }) ?? { fields: [], isOpen: true, rest: {} }
  expect({ keys: fields.map(keyOf), isOpen, rest }).toEqual({
    keys: ['one'],
    isOpen: false,
    rest: { $defs: { address: {} } },
  })
  expect(fields.map((field) => fieldSchema.safeParse(field).success)).toEqual([true])
  const written = writeFields({ fields, isOpen, rest })
  expect(readFields(written)).toEqual({ fields, isOpen, rest })
})

test.each([
  ['a text', { type: 'string' }],
  ['branches', { anyOf: [{ type: 'object' }] }],
  ['a key without a schema', { type: 'object', required: ['lost'] }],
  ['a map', { type: 'object', additionalProperties: { type: 'string' } }],
  ['nothing', null],
])('%s has no fields', (_name, schema) => {
  expect(readFields(schema)).toBeUndefined()
})

test('the schema of an object lists its required keys and whether it is open', () => {
  const fields: Field[] = [
    { key: 'to', isRequired: true, type: 'email', label: 'To' },
    { key: 'note', isRequired: false, type: 'text', format: 'textarea' },
  ]
  expect(toObjectSchema(fields, true)).toEqual({
    type: 'object',
    properties: {
      to: { title: 'To', type: 'string', format: 'email' },
      note: { type: 'string', format: 'textarea' },
    },
    required: ['to'],
    additionalProperties: true,
  })
})
