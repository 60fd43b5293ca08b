import { expect, test } from 'vitest'
import { describeDenial, describeScope, findPatternFault } from './rule-words.ts'

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

test('a denial names the rule and its level, or the reason', () => {
  expect(describeDenial({ rule: '*.example', level: 'agent:desk' })).toBe(
    'denied by the rule *.example (agent desk)',
  )
  expect(describeDenial({ rule: '10.0.0.1 is not public', level: 'address' })).toBe(
    '10.0.0.1 is not public',
  )
  expect(describeDenial({ rule: 'no rule', level: 'default' })).toBe('no rule allows it')
})
