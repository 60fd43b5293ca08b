import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toSchemaRows } from './schema-rows.ts'

const row = { depth: 0, isRequired: false, description: '', limits: '' }

test('a schema is listed row by row, with the limits of each value', () => {
  const rows = toSchemaRows({
    type: 'object',
    required: ['name'],
    $defs: { Line: { type: 'object', properties: { qty: { type: 'integer', minimum: 1 } } } },
    properties: {
      name: { type: 'string', description: 'Who', minLength: 1, maxLength: 80 },
      size: { enum: ['s', 'm'] },
      years: { anyOf: [{ type: 'integer', maximum: 50 }, { type: 'null' }] },
      lines: { type: 'array', items: { $ref: '#/$defs/Line' } },
    },
  })
  expect(rows).toEqual([
    {
      ...row,
      path: 'name',
      type: 'string',
      isRequired: true,
      description: 'Who',
      limits: '1 to 80 characters',
    },
    { ...row, path: 'size', type: 'value', limits: 'one of s, m' },
    { ...row, path: 'years', type: 'integer or null', limits: 'at most 50' },
    { ...row, path: 'lines', type: 'list of object' },
    { ...row, path: 'lines[].qty', depth: 1, type: 'integer', limits: 'at least 1' },
  ])
})

test('a recursive schema ends, and an invalid one has no rows', () => {
  const tree = { type: 'object', properties: { left: { $ref: '#' }, right: { $ref: '#' } } }
  expect(toSchemaRows(tree).length).toBeLessThanOrEqual(300)
  expect(toSchemaRows({ properties: { a: { $ref: '#/nowhere' } } })[0]?.type).toBe('anything')
  fc.assert(fc.property(fc.anything(), (schema) => void toSchemaRows(schema)))
})
