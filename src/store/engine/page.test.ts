import { expect, test } from 'vitest'
import { toPage, toPageLimit } from './page.ts'

const cursorOf = (item: number) => `at ${item}`

test('a page has a cursor where rows are left', () => {
  expect(toPage([1, 2, 3], 2, cursorOf)).toEqual({ items: [1, 2], next: 'at 2' })
  expect(toPage([1, 2], 2, cursorOf)).toEqual({ items: [1, 2] })
  expect(toPage([], 2, cursorOf)).toEqual({ items: [] })
})

test('a limit is a whole number from 1 to the most', () => {
  expect([0, -3, Number.NaN, 2.7, 50, 5000].map((asked) => toPageLimit(asked, 1000))).toEqual([
    1, 1, 1, 2, 50, 1000,
  ])
})
