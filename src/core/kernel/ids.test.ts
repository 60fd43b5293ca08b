import { expect, test } from 'vitest'
import { createId, createUuid } from './ids.ts'

test('an id is its prefix and the digits of a version 7 UUID', () => {
  const before = Date.now()
  const id = createId('call')
  expect(id).toMatch(/^call_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/)
  const ms = Number.parseInt(id.slice(5, 17), 16)
  expect(ms).toBeGreaterThanOrEqual(before)
  expect(ms).toBeLessThan(before + 60_000)
})

test('ids sort in creation order and never repeat', () => {
  const ids = Array.from({ length: 50_000 }, () => createUuid())
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
})

test('ids keep increasing when the clock is set back', () => {
  const now = Date.now
  const before = createUuid()
  try {
    Date.now = () => now() - 60_000
    expect(createUuid() > before).toBe(true)
  } finally {
    Date.now = now
  }
})
