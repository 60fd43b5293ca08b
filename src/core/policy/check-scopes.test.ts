import { expect, test } from 'vitest'
import { checkScopes } from './check-scopes.ts'

test('permissions, patterns that fit one, and what tools ask for pass without a word', () => {
  const scopes = ['tools.call', 'secrets.*', '*', '*.read', 'billing.refund', 'billing.*']
  expect(checkScopes(scopes, ['billing.refund'])).toEqual([])
})

test('a scope that gives nothing now is warned of, with the nearest name', () => {
  expect(checkScopes(['tools.cal', 'crm.*'], [])).toEqual([
    'The scope tools.cal gives nothing now: no permission is called that. Did you mean tools.call?',
    'The scope crm.* gives nothing now: no permission is called that.',
  ])
})

test('what is no scope at all is refused', () => {
  const bad = [
    '',
    ' ',
    'tools call',
    'Tools.call',
    'tools..call',
    '.call',
    'tools.',
    'a\n',
    '1a',
    'é',
  ]
  for (const scope of [...bad, 'a'.repeat(101)]) {
    expect(() => checkScopes(['tools.call', scope], [])).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    )
  }
})
