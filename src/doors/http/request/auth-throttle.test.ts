import { expect, test } from 'vitest'
import { isToolError } from '../../../core/kernel/errors.ts'
import { formatApiKey } from '../../../core/keys/api-key-token.ts'
import { type AuthThrottle, createAuthThrottle, isKeyForm } from './auth-throttle.ts'

function openThrottle(perMinute: number) {
  const clock = { ms: 1_000_000 }
  const throttle = createAuthThrottle({ perMinute, trustedProxies: 0, now: () => clock.ms })
  return { clock, throttle }
}

const from = (address?: string) => ({ header: () => undefined, ...(address && { address }) })
let made = 0
const key = () => formatApiKey({ id: String(1_000_000_000 + made++), secret: 'a'.repeat(32) })

/** Undefined where it is looked at, else how long to wait. */
function refusal(throttle: AuthThrottle, address: string, credential?: string): unknown {
  try {
    throttle.check(from(address), credential, isKeyForm)
    return undefined
  } catch (error) {
    return isToolError(error) && [error.code, error.details['retryAfterMs']]
  }
}

test('failures beyond the limit must wait, and capacity returns evenly', () => {
  const { throttle, clock } = openThrottle(60)
  const fail = () => throttle.fail(from('192.0.2.1'), undefined)?.code
  expect(Array.from({ length: 61 }, fail)).toEqual([
    ...Array<undefined>(60).fill(undefined),
    'rate_limited',
  ])
  expect(refusal(throttle, '192.0.2.1')).toEqual(['rate_limited', 1000])
  clock.ms += 1000
  expect([refusal(throttle, '192.0.2.1'), fail(), fail()]).toEqual([
    undefined,
    undefined,
    'rate_limited',
  ])
  clock.ms += 60_000
  expect(throttle.isOver(from('192.0.2.1'))).toBe(false)
})

test('networks are counted apart, and what has no address is not counted', () => {
  const { throttle } = openThrottle(1)
  throttle.fail(from('2001:db8:1:2::1'), undefined)
  expect(throttle.isOver(from('2001:db8:1:2:ffff::9'))).toBe(true)
  expect(throttle.isOver(from('2001:db8:1:3::1'))).toBe(false)
  for (let count = 0; count < 3; count++) {
    expect(throttle.fail(from(), undefined)).toBeUndefined()
  }
})

test('over the limit a key that was good is looked at always, and a new one now and then', () => {
  const { throttle, clock } = openThrottle(1)
  const [good, gone] = [key(), key()]
  throttle.fail(from('192.0.2.1'), undefined)
  throttle.pass(from('192.0.2.1'), good)
  throttle.pass(from('192.0.2.1'), gone)
  // Impossible keys use up no capacity of possible ones.
  expect(refusal(throttle, '192.0.2.1', `${key()}x`)).toBeDefined()
  const fresh = Array.from({ length: 100 }, () => refusal(throttle, '192.0.2.1', key()))
  expect(fresh.filter((wait) => wait === undefined)).toHaveLength(20)
  expect(refusal(throttle, '192.0.2.1', good)).toBeUndefined()
  throttle.fail(from('192.0.2.1'), gone)
  expect(refusal(throttle, '192.0.2.1', gone)).toBeDefined()
  clock.ms += 50
  expect(refusal(throttle, '192.0.2.1', key())).toBeUndefined()
})

test('of more networks than are kept the ones that failed longest ago are forgotten', () => {
  const { throttle } = openThrottle(1)
  for (let count = 0; count <= 10_000; count++) {
    throttle.fail(from(`10.${count >> 16}.${(count >> 8) & 255}.${count & 255}`), undefined)
  }
  expect(throttle.isOver(from('10.0.0.0'))).toBe(false)
  expect(throttle.isOver(from('10.0.0.1'))).toBe(true)
})
