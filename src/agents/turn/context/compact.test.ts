import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findCut } from './compact.ts'

const message = fc.record({
  role: fc.constantFrom('user' as const, 'assistant' as const),
  size: fc.nat(1000),
})

test("the kept messages begin with a person's message, and there is always one", () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 30 }), fc.nat(5000), (messages, keep) => {
      const cut = findCut(
        messages,
        messages.map(({ size }) => size),
        keep,
      )
      expect(cut).toBeLessThanOrEqual(messages.length)
      if (cut === 0) return
      expect(messages[cut]?.role).toBe('user')
    }),
  )
})

test('the newest fit into what is kept, unless one alone is larger', () => {
  const roles = ['user', 'assistant', 'user', 'assistant', 'user'] as const
  const messages = roles.map((role) => ({ role }))
  expect(findCut(messages, [10, 10, 10, 10, 10], 30)).toBe(2)
  expect(findCut(messages, [10, 10, 10, 10, 500], 30)).toBe(4)
  expect(findCut(messages.slice(0, 1), [500], 30)).toBe(0)
})
