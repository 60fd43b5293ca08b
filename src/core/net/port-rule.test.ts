import { expect, test } from 'vitest'
import { portOf, toPortRule } from './port-rule.ts'

test('80, 443 and unprivileged ports are open, except those of other protocols', () => {
  const rule = toPortRule()
  expect([80, 443, 1024, 3000, 8080, 8443, 65_535].map(rule)).toEqual(
    Array.from({ length: 7 }, () => undefined),
  )
  expect([22, 25, 6000, 6667, 10_080, 0].map(rule)).toEqual(
    Array.from({ length: 6 }, () => 'other protocol'),
  )
  expect([81, 444, 1023].map(rule)).toEqual(['privileged', 'privileged', 'privileged'])
})

test('operators can open privileged ports, but not those of other protocols', () => {
  expect([444, 25].map(toPortRule([444, 25]))).toEqual([undefined, 'other protocol'])
})

test('an address without a port has that of its scheme', () => {
  const of = (url: string) => portOf(new URL(url))
  expect([of('http://a/'), of('https://a/'), of('https://a:444/'), of('http://[::1]:81/')]).toEqual(
    [80, 443, 444, 81],
  )
})
