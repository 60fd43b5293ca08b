import { expect, test } from 'vitest'
import { movedRow } from './virtual-table-keys.ts'

test('keys move through the rows and stop at both ends', () => {
  const place = { index: 5, count: 10, page: 4 }
  expect(movedRow('ArrowDown', place)).toBe(6)
  expect(movedRow('ArrowUp', place)).toBe(4)
  expect(movedRow('PageDown', place)).toBe(9)
  expect(movedRow('PageUp', place)).toBe(1)
  expect(movedRow('Home', place)).toBe(0)
  expect(movedRow('End', place)).toBe(9)
  expect(movedRow('ArrowDown', { ...place, index: 9 })).toBe(9)
  expect(movedRow('ArrowUp', { ...place, index: 0 })).toBe(0)
})

test('the first key enters the list at its top', () => {
  const place = { index: -1, count: 3, page: 2 }
  expect(movedRow('ArrowDown', place)).toBe(0)
  expect(movedRow('ArrowUp', place)).toBe(0)
})

test('other keys move nothing, and an empty list has nowhere to go', () => {
  expect(movedRow('a', { index: 0, count: 3, page: 2 })).toBeUndefined()
  expect(movedRow('End', { index: -1, count: 0, page: 2 })).toBeUndefined()
})
