import { expect, test } from 'vitest'
import { findMissingSecret, findServer } from './find-need.ts'

test('the missing secret is read from the reason', () => {
  const lacks = (reason: string) =>
    findMissingSecret({ name: 'a.b', state: 'misconfigured', reason })
  expect(lacks('secret webhook_secret is not set')).toBe('webhook_secret')
  expect(lacks('secrets stripe_key, other are not set')).toBe('stripe_key')
  expect(lacks('environment variable STRIPE_URL is not set')).toBe(undefined)
  expect(findMissingSecret({ name: 'a.b', state: 'ready' })).toBe(undefined)
})

test('a quarantined tool leads to its server', () => {
  expect(findServer({ name: 'mcp:github:search', state: 'quarantined' })).toBe('github')
  expect(findServer({ name: 'a.b', state: 'quarantined' })).toBe(undefined)
})
