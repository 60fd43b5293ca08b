import { expect, test } from 'vitest'
import { ToolError } from '../kernel/errors.ts'
import { createReturns } from './returns.ts'

const refusal = (more: object) =>
  new ToolError('rate_limited', 'm', {
    details: { limit: 'pace', subject: 'key:a', measure: 'callsPerMinute', most: 2, ...more },
  })

test('the more calls wait for a limit, the later the next one is retried', () => {
  const returns = createReturns(
    () => 0,
    () => 0,
  )
  const next = () => returns.next('t', refusal({ retryAfterMs: 30_000 }))
  expect(Array.from({ length: 5 }, next)).toEqual([30_000, 30_000, 90_000, 90_000, 150_000])
  expect(returns.next('other', refusal({ retryAfterMs: 30_000 }))).toBe(30_000)
  for (let call = 0; call < 100; call += 1) next()
  expect(next()).toBe(300_000)
  expect(returns.next('t', refusal({ retryAfterMs: 80_000_000, measure: 'costPerDay' }))).toBe(
    300_000,
  )
})

test('other errors and permanent refusals have no retry time', () => {
  const returns = createReturns()
  expect(returns.next('t', refusal({}))).toBeUndefined()
  expect(returns.next('t', new ToolError('rate_limited', 'queue is full'))).toBeUndefined()
  expect(returns.next('t', new Error('x'))).toBeUndefined()
})
