import { expect, test } from 'vitest'
import { toSafeAddress, toSafeLine, toSafeText } from './safe-text.ts'

test('hidden characters in a text are made visible', () => {
  expect(toSafeText('invoice\u202Egpj.exe')).toBe('invoice⟨U+202E⟩gpj.exe')
  expect(toSafeText('pay\u200Bpal')).toBe('pay⟨U+200B⟩pal')
  expect(toSafeText('a\u0007b\u001B[31m')).toBe('a⟨U+0007⟩b⟨U+001B⟩[31m')
  expect(toSafeText('hi\u{E0041}\u{E0042}')).toBe('hi⟨U+E0041⟩⟨U+E0042⟩')
})

test('scripts and emoji stay as they are', () => {
  const texts = [
    'مرحبا بالعالم',
    'क्‍ष',
    '👩‍👩‍👧',
    '🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}',
  ]
  expect(texts.map(toSafeText)).toEqual(texts)
  expect(toSafeText('a\tb\r\nc')).toBe('a\tb\r\nc')
})

test('a label is one line', () => {
  expect(toSafeLine(' a\n\n b\tc ')).toBe('a b c')
})

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  '//evil.example',
  '/relative',
  'https://exa\u202Emple.com',
  'https://a b.example',
  'http://',
  `https://example.com/${'a'.repeat(5000)}`,
])('%s is not a link', (address) => {
  expect(toSafeAddress(address)).toBeUndefined()
})

test('http, https and mail are links', () => {
  expect(toSafeAddress('https://example.com/a?b=c#d')).toBe('https://example.com/a?b=c#d')
  expect(toSafeAddress('HTTP://EXAMPLE.com')).toBe('http://example.com/')
  expect(toSafeAddress('mailto:a@example.com')).toBe('mailto:a@example.com')
})
