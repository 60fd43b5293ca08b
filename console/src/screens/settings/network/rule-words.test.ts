import { expect, test } from 'vitest'
import { describeScope, findPatternFault } from './rule-words.ts'

test.each([
  'example.com',
  '*.example.com',
  '*',
  'example.com:8443',
  'localhost',
  '10.0.0.1',
  '[::1]:80',
  'xn--bcher-kva.example',
])('%s is a host pattern', (pattern) => {
  expect(findPatternFault([pattern])).toBeUndefined()
})

test.each(['https://example.com', 'example.com/path', 'a b', '-x.com', '*.', 'ex*mple.com', ''])(
  '%j is refused as a host pattern, and the fault names it',
  (pattern) => {
    expect(findPatternFault(['example.com', pattern])).toContain(pattern)
  },
)

test('the scope of a rule is put into words', () => {
  expect(describeScope({})).toBe('Everyone')
  expect(describeScope({ agent: 'helper' })).toBe('Agent helper')
  expect(describeScope({ agent: 'helper', pack: 'web' })).toBe('Agent helper, pack web')
})
