import { expect, test } from 'vitest'
import { createFakeApi, json } from '../../testing/fake-api.ts'
import { runLine } from '../../testing/run-line.ts'

test('set changes what an agent is made with, and an empty value clears it', async () => {
  const sent: unknown[] = []
  const api = createFakeApi({
    'PATCH /agents/support': ({ body }) => {
      sent.push(body)
      return json({ slug: 'support', grants: [], warnings: [] })
    },
  })
  const set = (...words: string[]) => runLine(['agents', 'set', 'support', '--json', ...words], api)
  await set('--description', 'Knows B.', '--max-steps', '5', '--max-turn-tokens', '9000')
  await set('--description', '', '--max-steps', '', '--max-turn-tokens', '')
  await set('--input', '{"providerTools":[]}')
  expect(sent).toEqual([
    { description: 'Knows B.', maxSteps: 5, maxTurnTokens: 9000 },
    { description: null, maxSteps: null, maxTurnTokens: null },
    { providerTools: [] },
  ])
})
