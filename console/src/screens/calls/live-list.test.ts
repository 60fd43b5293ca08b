import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countNew, withHead } from './live-list.ts'
import type { ListPages } from './live-list.ts'

const idOf = (row: number) => String(row)
const pagesOf = (...pages: number[][]): ListPages<number> => ({
  pages: pages.map((items, index) => ({
    items,
    ...(index < pages.length - 1 && { next: idOf(items.at(-1) ?? 0) }),
  })),
  pageParams: pages.map((_, index) => (index === 0 ? '' : idOf(pages[index - 1]?.at(-1) ?? 0))),
})
const rowsOf = ({ pages }: ListPages<number>) => pages.flatMap(({ items }) => items)

test('pages after the first are kept when the first is read again', () => {
  const list = withHead(pagesOf([6, 5, 4], [3, 2, 1]), { items: [8, 7, 6], next: '6' }, idOf)
  expect(rowsOf(list)).toEqual([8, 7, 6, 5, 4, 3, 2, 1])
  expect(list.pages.at(-1)?.next).toBeUndefined()
})

test('a list that no longer overlaps starts over, so that nothing is missing in between', () => {
  const list = withHead(pagesOf([3, 2, 1]), { items: [9, 8, 7], next: '7' }, idOf)
  expect(list).toEqual({ pages: [{ items: [9, 8, 7], next: '7' }], pageParams: [''] })
})

test('a list shorter than a page is that page', () => {
  expect(rowsOf(withHead(pagesOf([3, 2, 1]), { items: [2] }, idOf))).toEqual([2])
  expect(rowsOf(withHead(pagesOf([3]), { items: [] }, idOf))).toEqual([])
})

test('however often it is read, no row appears twice and none is missing', () => {
  const log = Array.from({ length: 60 }, (_, index) => index)
  const newestFirst = (upTo: number) => log.slice(0, upTo).toReversed()
  const headAt = (upTo: number) => {
    const all = newestFirst(upTo)
    const items = all.slice(0, 5)
    return { items, ...(all.length > 5 && { next: idOf(items.at(-1) ?? 0) }) }
  }
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 7 }), { maxLength: 8 }), (steps) => {
      let upTo = 4
      let list: ListPages<number> = { pages: [headAt(upTo)], pageParams: [''] }
      for (const step of steps) {
        upTo += step
        list = withHead(list, headAt(upTo), idOf)
        const rows = rowsOf(list)
        expect(rows).toEqual(newestFirst(upTo).slice(0, rows.length))
      }
    }),
  )
})

test('new rows are counted, and more than a page is reported as more', () => {
  expect(countNew([3, 2], { items: [5, 4, 3], next: '3' }, idOf)).toEqual({
    count: 2,
    isMore: false,
  })
  expect(countNew([3], { items: [9, 8], next: '8' }, idOf)).toEqual({ count: 2, isMore: true })
  expect(countNew([3], { items: [3] }, idOf)).toEqual({ count: 0, isMore: false })
})
