import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isToolError } from '../kernel/errors.ts'
import type { JsonSchema } from '../kernel/tool.ts'
import { compileValidator } from './compile-validator.ts'
import { prepareValue } from './prepare-value.ts'
import { toJsonSchema } from './to-json-schema.ts'
import { toJsonParser } from './to-parser.ts'

const key = fc.constantFrom('a', 'b', 'c', 'kind', 'constructor', 'hasOwnProperty')
const scalar = fc.constantFrom<unknown>(null, true, 0, 1, 2.5, -3, '', 'a', 'b', 'long text')
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4 }),
  ),
})).value

/** Meaningful schemas, and some that contradict themselves; any of them may be refused. */
const subschema = fc.letrec<{ schema: unknown }>((tie) => {
  const schema = tie('schema')
  const schemas = fc.array(schema, { minLength: 1, maxLength: 3 })
  const keys = fc.uniqueArray(key, { maxLength: 3 })
  const object = fc.record(
    {
      type: fc.constantFrom('object', ['object', 'null']),
      properties: fc.dictionary(key, schema, { maxKeys: 3 }),
      required: keys,
      additionalProperties: fc.oneof(fc.boolean(), schema),
      patternProperties: fc.dictionary(fc.constantFrom('^a', 'c$'), schema, { maxKeys: 1 }),
      dependentRequired: fc.dictionary(key, keys, { maxKeys: 1 }),
      minProperties: fc.nat(2),
      maxProperties: fc.integer({ min: 1, max: 4 }),
      default: value,
    },
    { requiredKeys: ['type', 'properties'] },
  )
  const array = fc.record(
    {
      type: fc.constant('array'),
      items: schema,
      prefixItems: schemas,
      uniqueItems: fc.boolean(),
      minItems: fc.nat(2),
    },
    { requiredKeys: ['type', 'items'] },
  )
  // Without tuples: beside one, Ajv accepts an empty array regardless of `contains`.
  const holding = fc.record(
    { contains: schema, minContains: fc.nat(2), maxContains: fc.nat(2), items: schema },
    { requiredKeys: ['contains'] },
  )
  const plain = fc.constantFrom<unknown>(
    true,
    false,
    {},
    { type: 'string', minLength: 1 },
    { type: ['string', 'null'] },
    { type: ['number', 'null'], default: 1 },
    { type: 'integer', minimum: 0, default: 7 },
    { enum: ['a', null, 1] },
    { const: 'a' },
    { const: 'b' },
    { const: { a: 1 } },
    { type: 'string', pattern: '^[ab]$' },
    { $ref: '#' },
    { $ref: '#/$defs/maybe' },
  )
  const combined = fc.oneof(
    fc.record({ anyOf: schemas }),
    fc.record({ oneOf: schemas }),
    fc.record({ allOf: schemas }),
    fc.record({ not: schema }),
    fc
      .tuple(schema, schema, schema)
      .map((all) =>
        Object.fromEntries(['if', 'then', 'else'].map((word, index) => [word, all[index]])),
      ),
    fc.record({ properties: fc.dictionary(key, schema, { maxKeys: 2 }), oneOf: schemas }),
    fc.record({ allOf: schemas, unevaluatedProperties: fc.constant(false) }),
    fc.record({ dependentSchemas: fc.dictionary(key, schema, { maxKeys: 1 }) }),
  )
  return {
    schema: fc.oneof(
      { maxDepth: 3, depthSize: 'small', withCrossShrink: true },
      plain,
      object,
      array,
      holding,
      combined,
    ),
  }
}).schema

const root = fc
  .record({
    properties: fc.dictionary(key, subschema, { maxKeys: 4 }),
    required: fc.uniqueArray(key, { maxLength: 3 }),
    more: subschema,
  })
  .map(({ properties, required, more }) => ({
    ...(typeof more === 'object' ? more : {}),
    type: 'object',
    properties,
    required,
    $defs: {
      maybe: {
        anyOf: [
          { type: 'object', properties: { a: { type: ['number', 'null'] } } },
          { type: 'null' },
        ],
      },
    },
  }))

/** The schema as tools hold it; undefined if it is refused, which is a valid outcome too. */
function convert(schema: unknown): JsonSchema | undefined {
  try {
    return toJsonSchema(schema as JsonSchema, 'input')
  } catch (error) {
    if (isToolError(error) && error.code === 'invalid_schema') return undefined
    throw error
  }
}

const runs = { numRuns: 1000 }

test('preparing is idempotent and changes nothing in place', () => {
  fc.assert(
    fc.property(root, value, fc.boolean(), (given, input, defaults) => {
      const schema = convert(given)
      if (schema === undefined) return
      const before = structuredClone(input)
      const once = prepareValue(schema, input, { defaults })
      expect(input).toEqual(before)
      expect(prepareValue(schema, once, { defaults })).toBe(once)
    }),
    runs,
  )
})

test('a valid value is still valid once it is prepared, and loses only unknown keys', () => {
  fc.assert(
    fc.property(root, fc.array(value, { minLength: 5, maxLength: 20 }), (given, inputs) => {
      const schema = convert(given)
      if (schema === undefined) return
      const validate = compileValidator(schema)
      const parse = toJsonParser(schema)
      for (const input of inputs.filter((each) => validate(each).length === 0)) {
        const result = parse(input)
        expect(result.ok && validate(result.value)).toEqual([])
      }
    }),
    runs,
  )
})

test('the validator agrees with Ajv on every schema within the limits', () => {
  const ajv = new Ajv2020({ strict: false, ownProperties: true, logger: false })
  fc.assert(
    fc.property(root, value, (given, input) => {
      const schema = convert(given)
      if (schema === undefined) return
      const fits = compileValidator(schema)(input).length === 0
      expect({ fits }).toEqual({ fits: ajv.validate(structuredClone(schema), input) })
      ajv.removeSchema()
    }),
    { numRuns: 300, seed: 7 },
  )
})
