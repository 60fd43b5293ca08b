import { expect, test } from 'vitest'
import { fieldsToMatch, noRemember, toRemember } from './remember-choice.ts'

const on = { ...noRemember, isOn: true, for: '1d' }

test('nothing is remembered unless a person chose it', () => {
  expect(toRemember(noRemember, { a: 1 })).toBeUndefined()
  expect(toRemember(on, { a: 1 })).toEqual({ for: '1d', match: 'same-input' })
})

test('chosen fields are sent with their values, and none chosen means all of them', () => {
  const input = { path: '/a', recursive: true, note: null }
  expect(toRemember({ ...on, match: 'fields', fields: ['path'] }, input)).toEqual({
    for: '1d',
    match: { path: '/a' },
  })
  expect(toRemember({ ...on, match: 'fields', fields: [] }, input)).toEqual({
    for: '1d',
    match: 'same-input',
  })
  expect(toRemember({ ...on, match: 'any' }, input)).toEqual({ for: '1d', match: 'any-input' })
})

test('a value with a star is not offered: in a rule it would match anything', () => {
  expect(fieldsToMatch({ path: '/a/*', deep: { to: 'x*' }, id: 'a', gone: null })).toEqual(['id'])
  const choice = { ...on, match: 'fields' as const, fields: ['path'] }
  expect(toRemember(choice, { path: '/a/*' })).toEqual({ for: '1d', match: 'same-input' })
})
