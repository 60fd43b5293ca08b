import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareMarks } from './compare-marks.ts'
import { countBits, hasBit, withBits } from '../../../store/audit/removed-rows.ts'

const markOf = (number: number) => number.toString(16).padStart(64, '0')
const rowOf = (number: number) => ({
  mark: markOf(number),
  firstId: `first ${number}`,
  lastId: `last ${number}`,
})
const marksOf = (numbers: readonly number[]) => Buffer.from(numbers.map(markOf).join(''), 'hex')
const none = () => false
const numbers = fc
  .uniqueArray(fc.nat(100), { maxLength: 20 })
  .map((all) => all.toSorted((a, b) => a - b))

test('rows that are as they were have no gap, also where some were removed with a note', () => {
  fc.assert(
    fc.property(numbers, fc.func(fc.boolean()), (sealed, isGone) => {
      expect(compareMarks(marksOf(sealed), sealed.map(rowOf), none)).toEqual([])
      const left = sealed.filter((number) => !isGone(number))
      const isRemoved = (index: number) => isGone(sealed[index] ?? 0)
      expect(compareMarks(marksOf(sealed), left.map(rowOf), isRemoved)).toEqual([])
    }),
  )
})

test('gaps add up to exactly the missing and the surplus rows', () => {
  fc.assert(
    fc.property(numbers, numbers, (sealed, found) => {
      const gaps = compareMarks(marksOf(sealed), found.map(rowOf), none)
      const missing = sealed.filter((number) => !found.includes(number))
      const extra = found.filter((number) => !sealed.includes(number))
      expect(gaps.reduce((sum, gap) => sum + gap.missing, 0)).toBe(missing.length)
      expect(gaps.flatMap((gap) => gap.found)).toEqual(extra.map((number) => `first ${number}`))
    }),
  )
})

test('a gap lies between the nearest rows that are in order', () => {
  expect(compareMarks(marksOf([1, 2, 3, 4]), [1, 7, 3, 4].map(rowOf), none)).toEqual([
    { after: 'last 1', before: 'first 3', missing: 1, found: ['first 7'] },
  ])
  expect(compareMarks(marksOf([1, 2]), [], none)).toEqual([{ missing: 2, found: [] }])
  expect(compareMarks(marksOf([]), [rowOf(5)], none)).toEqual([{ missing: 0, found: ['first 5'] }])
})

test('bits are kept where they are put', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(499)), fc.uniqueArray(fc.nat(499)), (first, second) => {
      const bits = withBits(withBits(null, 500, first), 500, second)
      const all = new Set([...first, ...second])
      expect(countBits(bits)).toBe(all.size)
      for (let index = 0; index < 500; index += 1) expect(hasBit(bits, index)).toBe(all.has(index))
    }),
  )
})
