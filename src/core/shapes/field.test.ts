import { expect, test } from 'vitest'
import { type Field, fieldSchema } from './field.ts'

test('fields nest, and a field of an unknown kind or with unknown facts is refused', () => {
  const line: Field = { key: 'text', isRequired: true, type: 'text', format: 'markdown' }
  const field: Field = {
    key: 'lines',
    isRequired: false,
    label: 'Lines',
    type: 'array',
    item: { type: 'object', fields: [line] },
  }
  expect(fieldSchema.parse(field)).toEqual(field)
  expect(fieldSchema.safeParse({ ...field, type: 'lists' }).success).toBe(false)
  expect(fieldSchema.safeParse({ ...field, minimum: 1 }).success).toBe(false)
  expect(fieldSchema.safeParse({ ...field, key: '' }).success).toBe(false)
})
