import { expect, test } from 'vitest'
import { openChat, owner } from './open-chat.ts'

test('callers who may not call tools are refused before anything is stored', async () => {
  const { ask, api, close } = await openChat(() => ({ text: 'never' }))
  const { token } = await api.createKey(owner, { name: 'talks', scopes: ['agents.chat'] })
  const tries = [
    ['/agents/helper/chat', { id: 'c1', message: 'hi' }],
    ['/agents/helper/runs', { prompt: 'hi' }],
  ] as const
  for (const [path, body] of tries) expect((await ask(path, body, token)).status).toBe(403)
  expect((await api.listConversations(owner, { limit: 10 })).items).toEqual([])
  await close()
})

test('people who may not decide are refused, but can stop the turn and write something else', async () => {
  const answers = [{ calls: [{ id: 'p1', name: 'test_pay', input: { n: 1 } }] }, { text: 'Gladly' }]
  const { ask, api, done, close } = await openChat(() => answers.shift() ?? { text: 'done' })
  const scopes = ['agents.chat', 'tools.call']
  const { token } = await api.createKey(owner, { name: 'talks', scopes })
  const chat = (body: object) => ask('/agents/helper/chat', { id: 'c1', ...body }, token)
  await (await chat({ message: 'pay' })).text()
  const [asked] = (await api.listApprovals(owner, { status: 'pending', limit: 5 })).items
  const yes = await chat({ approvals: [{ id: asked?.id, approved: true }] })
  expect([yes.status, await yes.json()]).toMatchObject([403, { code: 'forbidden' }])
  expect((await chat({ message: 'and?' })).status).toBe(409)
  const [run] = (await api.listRuns(owner, { limit: 1 })).items
  expect((await ask(`/runs/${run?.id}/cancel`, {}, token)).status).toBe(200)
  expect(await (await chat({ message: 'leave it' })).text()).toContain('Gladly')
  expect(done).toEqual([])
  await close()
})
