import { expect, test } from 'vitest'
import { estimateTokens } from './estimate-tokens.ts'
import { offered } from './offered.fixture.ts'

test('a description counts by its bytes, of which other scripts have more per letter', () => {
  const tokensOf = (description: string) => estimateTokens(offered('a.b', ['A', description]))
  const without = tokensOf('')
  expect(tokensOf('x'.repeat(400)) - without).toBe(100)
  expect(tokensOf('退'.repeat(400)) - without).toBe(300)
})
