import { expect, test } from 'vitest'
import { mergeDraft } from './merge-draft.ts'

const before = { name: 'Ada', allow: ['a'], isOn: false }

test('changes of others are merged with typed text', () => {
  const now = { ...before, name: 'Bob', isOn: true }
  const draft = { ...before, allow: ['a', 'b'] }
  expect(mergeDraft({ before, now, draft })).toEqual({ name: 'Bob', allow: ['a', 'b'], isOn: true })
})

test('the same field changed by both is for the one who types to decide', () => {
  const now = { ...before, allow: ['c'] }
  expect(mergeDraft({ before, now, draft: { ...before, allow: ['a', 'b'] } })).toBeUndefined()
})

test('saving here, or the same change by both, does not conflict', () => {
  const draft = { ...before, name: 'Eve' }
  expect(mergeDraft({ before, now: { ...draft, isOn: true }, draft })).toEqual({
    ...draft,
    isOn: true,
  })
})
