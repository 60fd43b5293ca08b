import { expect, test } from 'vitest'
import { networkOf } from './attempt-rules.ts'

test('an IPv4 address counts for itself, however it is written', () => {
  expect(networkOf({ address: '192.0.2.7' })).toBe('from:192.0.2.7')
  expect(networkOf({ address: '::ffff:192.0.2.7' })).toBe('from:192.0.2.7')
  expect(networkOf({})).toBeUndefined()
})

test('all IPv6 addresses of one network count together', () => {
  const same = ['2001:db8:1:2:aaaa::1', '2001:0db8:0001:0002::', '2001:DB8:1:2:3:4:5:6']
  expect(new Set(same.map((address) => networkOf({ address })))).toEqual(
    new Set(['from:2001:db8:1:2']),
  )
  expect(networkOf({ address: '2001:db8::1' })).toBe('from:2001:db8:0:0')
  expect(networkOf({ address: '::1' })).toBe('from:0:0:0:0')
})
