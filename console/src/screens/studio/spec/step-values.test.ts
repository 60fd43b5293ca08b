import { expect, test } from 'vitest'
import { readFieldText, writeFieldText } from './step-values.ts'

test('typed text becomes a value of the type of its field', () => {
  expect(writeFieldText('12', 'string')).toBe('12')
  expect(writeFieldText('12', 'integer')).toBe(12)
  expect(writeFieldText('["a"]', 'array')).toEqual(['a'])
  expect(writeFieldText('{{input.ids}}', 'array')).toBe('{{input.ids}}')
  expect(writeFieldText('{"a":', 'object')).toBe('{"a":')
  expect(writeFieldText('', 'string')).toBeUndefined()
})

test('a value is shown as it would be typed', () => {
  for (const value of ['12', 12, true, ['a'], { a: '{{input.a}}' }]) {
    const type = typeof value === 'string' ? 'string' : 'object'
    expect(writeFieldText(readFieldText(value), type)).toEqual(value)
  }
  expect(readFieldText(undefined)).toBe('')
})
