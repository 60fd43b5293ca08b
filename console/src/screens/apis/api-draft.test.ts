import { expect, test } from 'vitest'
import { toApiChange, toChoice, toDraft, toSettings } from './api-draft.ts'
import type { ApiPreview, ImportedApi } from './api-queries.ts'

const operations = ['a', 'b', 'c'].map((name) => ({ name })) as ApiPreview['operations']

test('choosing everything sets nothing, and otherwise the shorter list is kept', () => {
  expect(toChoice(operations, new Set(['a', 'b', 'c']))).toEqual({ include: [], exclude: [] })
  expect(toChoice(operations, new Set(['b']))).toEqual({ include: ['b'], exclude: [] })
  expect(toChoice(operations, new Set(['a', 'c']))).toEqual({ include: [], exclude: ['b'] })
  expect(toChoice(operations, new Set())).toEqual({ include: [], exclude: ['a', 'b', 'c'] })
})

test('only changed fields are sent, and null removes one', () => {
  const stored = {
    name: 'pets',
    title: 'Pets',
    server: 'https://pets.example',
    auth: { token: 'pet_token' },
  } as unknown as ImportedApi
  const draft = toDraft(stored)
  expect(toApiChange(stored, draft)).toEqual({})
  expect(toApiChange(stored, { ...draft, title: '', auth: { token: ' ' } })).toEqual({
    title: null,
    auth: {},
  })
  expect(toSettings(draft)).toMatchObject({ auth: { token: 'pet_token' }, pin: true })
})
