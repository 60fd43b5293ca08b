import { expect, test } from 'vitest'
import { findNameFault, toDraft, toSpec, withRule } from './rule-draft.ts'

const rule = { id: 'no-ads', deny: ['*.ads.example'], allow: [], setBy: 'configuration' }
const other = { id: 'web', pack: 'web', deny: [], allow: ['example.com'], setBy: 'x', version: 2 }

test('a rule survives its form, without what the server adds', () => {
  expect(toSpec(toDraft(other))).toEqual({
    id: 'web',
    pack: 'web',
    allow: ['example.com'],
    deny: [],
  })
})

test('the preview asks for all rules with the change in its place', () => {
  const spec = { id: 'web', allow: [], deny: ['x.example'] }
  expect(withRule([rule, other], spec, 'web').map(({ id, deny }) => [id, deny])).toEqual([
    ['no-ads', ['*.ads.example']],
    ['web', ['x.example']],
  ])
  expect(withRule([rule, other], undefined, 'web').map(({ id }) => id)).toEqual(['no-ads'])
})

test('the name of a new rule is checked before it is sent', () => {
  expect(findNameFault('no-trackers', [rule])).toBeUndefined()
  expect(findNameFault('No trackers', [rule])).toContain('lower case')
  expect(findNameFault('no-ads', [rule])).toContain('already')
})
