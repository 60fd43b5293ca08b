import { expect, test } from 'vitest'
import { parseHostPattern } from './host-pattern.ts'

function matches(pattern: string, host: string, port = 443): boolean | undefined {
  return parseHostPattern(pattern)?.matches(host, port)
}

test.each([
  ['example.com', 'example.com', true],
  ['example.com', 'EXAMPLE.com.', true],
  ['Example.COM', 'example.com', true],
  ['example.com', 'www.example.com', false],
  ['example.com', 'example.com.evil.test', false],
  ['example.com', 'notexample.com', false],
  ['*.example.com', 'www.example.com', true],
  ['*.example.com', 'a.b.example.com', true],
  ['*.example.com', 'example.com', false],
  ['*.example.com', 'evilexample.com', false],
  ['*.example.com', '.example.com', false],
  ['*', 'anything.example', true],
  ['bücher.example', 'xn--bcher-kva.example', true],
  ['0x7f.1', '127.0.0.1', true],
  ['[::1]', '::1', true],
  ['[0:0:0:0:0:0:0:1]', '[::1]', true],
])('%s and %s: %s', (pattern, host, expected) => {
  expect(matches(pattern, host)).toBe(expected)
})

test('a port narrows a pattern to that port', () => {
  expect([
    matches('a.example:8443', 'a.example', 8443),
    matches('a.example:8443', 'a.example'),
  ]).toEqual([true, false])
  expect([matches('*:80', 'b.example', 80), matches('[::1]:80', '::1', 80)]).toEqual([true, true])
})

test.each([
  '',
  ' ',
  'https://example.com',
  'example.com/',
  'example.com/path',
  'a@example.com',
  'a b.example',
  '*example.com',
  'a.*.example',
  '*.*.example',
  '**',
  '10.0.0.0/8',
  '*.10.0.0.1',
  'example.com:0',
  'example.com:99999',
  'example.com:x',
  'a..example',
  '-a.example',
  '::1',
  '%65xample.com',
  'a\\b',
])('%s is not a pattern', (pattern) => {
  expect(parseHostPattern(pattern)).toBeUndefined()
})
