import { expect, test } from 'vitest'
import { createOriginCheck } from './origin-check.ts'

const isAllowed = createOriginCheck(['https://app.example.com', 'http://localhost:6274/'])

test.each([
  [undefined, 'localhost:4680'],
  ['http://localhost:4680', 'localhost:4680'],
  ['http://LOCALHOST:4680', 'Localhost:4680'],
  ['https://app.example.com', 'crib.example.com'],
  ['http://localhost:6274', 'localhost:4680'],
])('a request of %s to %s passes', (origin, host) => {
  expect(isAllowed(origin, host)).toBe(true)
})

test.each([
  ['https://evil.example.com', 'localhost:4680'],
  ['null', 'localhost:4680'],
  ['', 'localhost:4680'],
  ['http://localhost:4681', 'localhost:4680'],
  ['http://app.example.com', 'crib.example.com'],
  ['https://app.example.com.evil.com', 'crib.example.com'],
  ['http://localhost:4680', undefined],
])('a request of %s to %s does not', (origin, host) => {
  expect(isAllowed(origin, host)).toBe(false)
})
