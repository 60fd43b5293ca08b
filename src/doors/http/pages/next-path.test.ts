import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toNextPath, withNext } from './next-path.ts'

test.each([
  ['/calls', '/calls'],
  ['/calls?status=failed&tool=a.b', '/calls?status=failed&tool=a.b'],
  ['/tools/%D8%A7#top', '/tools/%D8%A7#top'],
  ['/', '/'],
])('%s is a place of ours', (given, next) => {
  expect(toNextPath(given)).toBe(next)
})

test.each([
  undefined,
  null,
  '',
  'calls',
  'https://evil.example/calls',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/%2e//evil.example',
  'javascript:alert(1)',
  '/api/v1/tools',
  '/oauth/callback?state=x',
  '/sign-in?token=x',
  '/sign-out',
  '/invitation?token=x',
  `/${'a'.repeat(2001)}`,
])('%s leads nowhere', (given) => {
  expect(toNextPath(given)).toBeUndefined()
})

test('a browser that follows any given address stays on this server', () => {
  const piece = fc.constantFrom('/', '\\', '.', '..', '%2e', '%5c', '@', ':', 'evil.example', '\t')
  const texts = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.array(piece, { maxLength: 8 }).map((pieces) => `/${pieces.join('')}`),
  )
  fc.assert(
    fc.property(texts, (given) => {
      const next = toNextPath(given)
      if (next === undefined) return
      expect(new URL(next, 'https://crib.example/sign-in').origin).toBe('https://crib.example')
      // An accepted address is accepted again unchanged: it is checked on the way back, too.
      expect(toNextPath(next)).toBe(next)
    }),
  )
})

test('the place is carried along in an address', () => {
  expect(withNext('/sign-in', '/calls?a=b')).toBe('/sign-in?next=%2Fcalls%3Fa%3Db')
  expect(withNext('/sign-in?token=x', '/calls')).toBe('/sign-in?token=x&next=%2Fcalls')
  expect(withNext('/sign-in', '/')).toBe('/sign-in')
})
