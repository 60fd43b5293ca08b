import { expect, test } from 'vitest'
import { isSameInput } from './same-input.ts'

test('the order of keys and keys that are null make no difference', () => {
  expect(isSameInput({ a: 1, b: { c: [1] } }, { b: { c: [1], d: null }, a: 1 })).toBe(true)
  expect(isSameInput({}, { a: null })).toBe(true)
})

test('another value, another order of items and a null item do', () => {
  expect(isSameInput({ a: 1 }, { a: 2 })).toBe(false)
  expect(isSameInput([1, 2], [2, 1])).toBe(false)
  expect(isSameInput([null], [])).toBe(false)
  expect(isSameInput({ a: 0 }, {})).toBe(false)
})
