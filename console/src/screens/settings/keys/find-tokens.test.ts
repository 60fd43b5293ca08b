import { expect, test } from 'vitest'
import { findTokens } from './find-tokens.ts'

test('finds each key in a text once, and nothing else', () => {
  const token = `crib_${'a'.repeat(10)}_${'B'.repeat(39)}`
  expect(findTokens(`export KEY=${token}\n"${token}" crib_short_x`)).toEqual([token])
  expect(findTokens('nothing here')).toEqual([])
})
