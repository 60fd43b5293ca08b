import { expect, test } from 'vitest'
import { emptyDraft, toBody, toDraft, toSimulation } from './policy-document.ts'

test('a stored document survives the form unchanged', () => {
  const bodies = [
    ['policy', { profile: 'minimal', allow: ['a.*'], deny: ['b.*'] }],
    ['provider', { allow: [], deny: ['crm.*'] }],
    ['profile', { allow: ['*.read'], deny: [] }],
    ['group', ['crm.*', 'billing.find']],
  ] as const
  expect(bodies.map(([kind, body]) => toBody(kind, toDraft(kind, body)))).toEqual(
    bodies.map(([, body]) => body),
  )
})

test('a document that can’t be read is an empty form', () => {
  expect(toDraft('policy', 'broken')).toEqual(emptyDraft)
  expect(toDraft('policy', { allow: [1, 'a.b'], deny: null })).toEqual({
    profile: null,
    allow: ['a.b'],
    deny: [],
  })
  expect(toDraft('group', { allow: [] })).toEqual(emptyDraft)
})

test('a simulation replaces the stored document with the draft, or removes it', () => {
  const draft = { profile: null, allow: ['a.*'], deny: [] }
  expect([
    toSimulation('policy', 'tenant', draft),
    toSimulation('provider', 'openai', draft),
    toSimulation('profile', 'readers', draft),
    toSimulation('group', 'crm', draft),
    toSimulation('group', 'crm', null),
  ]).toEqual([
    { policy: { allow: ['a.*'], deny: [] } },
    { providers: { openai: { allow: ['a.*'], deny: [] } } },
    { profiles: { readers: { allow: ['a.*'], deny: [] } } },
    { groups: { crm: ['a.*'] } },
    { groups: { crm: null } },
  ])
})
