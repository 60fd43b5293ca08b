import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseEmail } from './email.ts'

test('an address is stored in lower case, without surrounding blanks', () => {
  expect(parseEmail('  Ada.Lovelace+Crib@Example.COM ')).toBe('ada.lovelace+crib@example.com')
  expect(parseEmail('root@localhost')).toBe('root@localhost')
})

test('text that is not an address is refused', () => {
  const bad = [
    '',
    'ada',
    '@example.com',
    'ada@',
    'a@b@c',
    'ada lovelace@example.com',
    'ada@-example.com',
    'ada@example..com',
    'ada@example.com\nbcc: x@y',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(64)}.com`,
    `a@${'b.'.repeat(120)}com`,
    'ada@exämple.com',
    '\u212Aay@example.com',
    'a\0b@example.com',
  ]
  for (const text of bad) {
    expect(() => parseEmail(text)).toThrow(/is not an e-mail address/)
  }
})

test('parsing an address again changes nothing', () => {
  fc.assert(
    fc.property(fc.emailAddress(), (text) => {
      const once = parseEmail(text)
      expect(parseEmail(once)).toBe(once)
      expect(parseEmail(text.toUpperCase())).toBe(once)
    }),
  )
})
