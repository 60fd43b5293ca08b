import { expect, test } from 'vitest'
import { z } from 'zod'
import { prepareValue } from './prepare-value.ts'
import { toJsonSchema } from './to-json-schema.ts'
import { withoutFilled } from './without-filled.ts'

test('nullable keys are not required of the caller, at any depth', () => {
  const place = z.object({ city: z.string(), zip: z.string().nullable() })
  const schema = toJsonSchema(
    z.object({
      text: z.string(),
      tags: z.array(z.string()).max(10).nullable(),
      at: place.nullable(),
      stops: z.array(place),
    }),
    'input',
  )
  const asked = withoutFilled(schema)
  expect(asked['required']).toEqual(['text', 'stops'])
  expect(asked).toMatchObject({
    properties: {
      at: { anyOf: [{ required: ['city'] }, { type: 'null' }] },
      stops: { items: { required: ['city'] } },
    },
  })
  // The minimal input is valid.
  const least = { text: 'a', stops: [{ city: 'Ulm' }] }
  expect(prepareValue(schema, least)).toEqual({
    text: 'a',
    tags: null,
    at: null,
    stops: [{ city: 'Ulm', zip: null }],
  })
  expect(withoutFilled(schema)).toBe(asked)
})

test('null may be behind a reference, and an empty list is left out', () => {
  const schema = {
    type: 'object',
    properties: { note: { $ref: '#/$defs/note' } },
    required: ['note'],
    $defs: { note: { type: ['string', 'null'] } },
  }
  expect(withoutFilled(schema)).toEqual({
    type: 'object',
    properties: { note: { $ref: '#/$defs/note' } },
    $defs: { note: { type: ['string', 'null'] } },
  })
})

test('keys that take anything, keys named elsewhere and non-schemas stay required', () => {
  const schema = {
    type: 'object',
    properties: { any: {}, enum: { enum: ['required', null] } },
    required: ['any', 'elsewhere', 'enum'],
    default: { required: ['enum'], properties: { enum: { type: 'null' } } },
  }
  expect(withoutFilled(schema)).toEqual({ ...schema, required: ['any', 'elsewhere'] })
})
