import { expect, test } from 'vitest'
import { openTalk, owner } from './talking.ts'

test('whoever may not call tools is refused before anything is stored', async () => {
  const { ask, api, close } = await openTalk(() => ({ text: 'never' }))
  const { token } = await api.createKey(owner, { name: 'talks', scopes: ['agents.chat'] })
  const tries = [
    ['/agents/helper/chat', { id: 'c1', message: 'hi' }],
    ['/agents/helper/runs', { prompt: 'hi' }],
  ] as const
  for (const [path, body] of tries) expect((await ask(path, body, token)).status).toBe(403)
  expect((await api.listConversations(owner, { limit: 10 })).items).toEqual([])
  await close()
})
