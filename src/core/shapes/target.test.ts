import { expect, test } from 'vitest'
import { targetSchema } from './target.ts'

test.each([
  [{ tool: 'billing.refund', input: { id: '{{payload.id}}' } }],
  [{ tool: 'mcp:docs:Search' }],
  [{ agent: 'support', prompt: 'Answer {{payload.text}}', conversation: 'main' }],
  [{ room: 'front-desk' }],
])('%j is a target', (given) => {
  expect(targetSchema.parse(given)).toEqual(given)
})

test.each([
  [{}],
  [{ tool: 'Not a name' }],
  [{ tool: 'a.b', input: [] }],
  [{ tool: 'a.b', agent: 'x', prompt: 'y' }],
  [{ agent: 'support' }],
  [{ agent: 'a\u0000', prompt: 'x' }],
  [{ room: '' }],
])('%j is not a target', (given) => {
  expect(targetSchema.safeParse(given).success).toBe(false)
})
