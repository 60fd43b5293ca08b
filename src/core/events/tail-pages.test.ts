import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CribEvent } from './event.ts'
import { createTailPages, type TailPages } from './tail-pages.ts'

const placeOf = (cursor: string) => Number(cursor.slice(1))
const compare = (left: string, right: string) => placeOf(left) - placeOf(right)
const toEvent = (place: number): CribEvent => ({
  id: `e${place}`,
  seq: 1,
  at: '',
  tenant: 't',
  principal: { kind: 'key', id: 'k' },
  type: 'call.output',
  data: { partial: null },
})

function walk(pages: TailPages, from: number): { given: number[]; steps: number } {
  const given: number[] = []
  let cursor = `e${from}`
  let steps = 0
  for (let page = pages.pageAfter(cursor); page !== undefined; page = pages.pageAfter(cursor)) {
    given.push(
      ...page.items.map(({ id }) => placeOf(id)).filter((place) => place > placeOf(cursor)),
    )
    cursor = page.next
    steps += 1
  }
  return { given, steps }
}

test('a reader at any position in the tail gets all following events, in order and once', () => {
  const sizes = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 400 })
  fc.assert(
    fc.property(sizes, fc.nat(100_000), fc.nat(2000), (counts, bytes, at) => {
      const pages = createTailPages(compare, () => bytes)
      pages.begin('e0')
      let head = 0
      for (const count of counts) {
        const items = Array.from({ length: count }, (_, index) => toEvent(head + index + 1))
        head += count
        pages.append({ items, next: `e${head}`, hasMore: false })
      }
      const from = Math.min(at, head)
      if (!pages.covers(`e${from}`)) return
      const expected = Array.from({ length: head - from }, (_, index) => from + index + 1)
      expect(walk(pages, from).given).toEqual(expected)
    }),
  )
})

test('thousands of events that arrived one by one are caught up with in a few steps', () => {
  const pages = createTailPages(compare, () => Infinity)
  pages.begin('e0')
  for (let place = 1; place <= 20_000; place += 1) {
    pages.append({ items: [toEvent(place)], next: `e${place}`, hasMore: false })
  }
  const { given, steps } = walk(pages, 0)
  expect(given).toHaveLength(20_000)
  expect(steps).toBeLessThan(200)
})
