import { expect, test } from 'vitest'
import { checkScopes } from './check-scopes.ts'

test('permissions, patterns that match one, and permissions of tools pass without a warning', () => {
  const scopes = ['tools.call', 'secrets.*', '*', '*.read', 'billing.refund', 'billing.*']
  expect(checkScopes(scopes, ['billing.refund'])).toEqual([])
})

test('a scope that grants nothing now gets a warning with the nearest name', () => {
  expect(checkScopes(['tools.cal', 'crm.*'], [])).toEqual([
    'The scope tools.cal grants nothing now: there is no such permission. Did you mean tools.call?',
    'The scope crm.* grants nothing now: there is no such permission.',
  ])
})

test('an invalid scope is refused', () => {
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
