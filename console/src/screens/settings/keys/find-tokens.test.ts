import { expect, test } from 'vitest'
import { findTokens } from './find-tokens.ts'

test('keys are found in any text, each once, and nothing else is', () => {
  const token = `crib_${'a'.repeat(10)}_${'B'.repeat(39)}`
  expect(findTokens(`export KEY=${token}\n"${token}" crib_short_x`)).toEqual([token])
  expect(findTokens('nothing here')).toEqual([])
})
