import { expect, test } from 'vitest'
import { z } from 'zod'
import { toFormFields } from './to-form-fields.ts'
import { toJsonSchema } from './to-json-schema.ts'
import type { SchemaLike } from './schema-like.ts'

const fieldsOf = (schema: SchemaLike) => toFormFields(toJsonSchema(schema, 'input'))

test('every kind of key has its field', () => {
  const schema = z.object({
    invoiceId: z.string().min(3).describe('The invoice'),
    body: z.string().max(5000),
    amount: z.number().min(0).max(100).nullable(),
    count: z.int().min(1).default(3),
    dryRun: z.boolean(),
    size: z.enum(['s', 'm']).nullable(),
    from: z.iso.date(),
    at: z.iso.datetime().optional(),
    mail: z.email(),
    anything: z.unknown(),
    labels: z.record(z.string(), z.string()),
  })
  expect(
    fieldsOf(schema).map(({ key, kind, required, nullable }) => [key, kind, required, nullable]),
  ).toEqual([
    ['invoiceId', 'text', true, false],
    ['body', 'multiline', true, false],
    ['amount', 'number', false, true],
    ['count', 'integer', false, false],
    ['dryRun', 'boolean', true, false],
    ['size', 'select', false, true],
    ['from', 'date', true, false],
    ['at', 'date-time', false, false],
    ['mail', 'email', true, false],
    ['anything', 'json', true, false],
    ['labels', 'json', true, false],
  ])
})

test('a field has everything a form needs to validate while people type', () => {
  const schema = z.object({
    maxChars: z.int().min(1).max(9).default(3).describe('How many'),
    size: z.enum(['s', 'm']).nullable(),
  })
  expect(fieldsOf(schema)).toEqual([
    {
      path: '/maxChars',
      key: 'maxChars',
      label: 'Max chars',
      description: 'How many',
      kind: 'integer',
      required: false,
      nullable: false,
      default: 3,
      min: 1,
      max: 9,
    },
    {
      path: '/size',
      key: 'size',
      label: 'Size',
      kind: 'select',
      required: false,
      nullable: true,
      choices: ['s', 'm'],
    },
  ])
})

test('objects and lists contain their fields', () => {
  const schema = z.object({
    rows: z.array(z.object({ id: z.string() })).min(1),
    to: z.object({ city: z.string() }),
  })
  expect(fieldsOf(schema)).toEqual([
    {
      path: '/rows',
      key: 'rows',
      label: 'Rows',
      kind: 'list',
      required: true,
      nullable: false,
      min: 1,
      item: {
        path: '/rows/-',
        key: '-',
        label: '',
        kind: 'object',
        required: false,
        nullable: false,
        fields: [
          {
            path: '/rows/-/id',
            key: 'id',
            label: 'Id',
            kind: 'text',
            required: true,
            nullable: false,
          },
        ],
      },
    },
    {
      path: '/to',
      key: 'to',
      label: 'To',
      kind: 'object',
      required: true,
      nullable: false,
      fields: [
        {
          path: '/to/city',
          key: 'city',
          label: 'City',
          kind: 'text',
          required: true,
          nullable: false,
        },
      ],
    },
  ])
})

test('a union of fixed values is a choice, any other union is JSON', () => {
  const schema = z.object({
    unit: z.union([z.literal('day'), z.literal('week')]),
    shape: z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
  })
  expect(fieldsOf(schema)).toMatchObject([
    { kind: 'select', choices: ['day', 'week'] },
    { kind: 'json' },
  ])
})

test('a recursive schema ends as JSON', () => {
  const schema = { type: 'object', properties: { next: { $ref: '#' } } }
  expect(JSON.stringify(toFormFields(schema))).toContain('"kind":"json"')
})
