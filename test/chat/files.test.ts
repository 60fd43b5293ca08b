import { expect, test } from 'vitest'
import { agentSchema } from '../../src/core/rules/rule-schemas.ts'
import { fakeModel } from './fake-model.ts'
import { closingChats, owner, said } from './open-chat.ts'

const talk = closingChats()

function file(mediaType: string, content: string | Buffer, filename: string) {
  const url = `data:${mediaType};base64,${Buffer.from(content).toString('base64')}`
  return { type: 'file' as const, mediaType, filename, url }
}

const withParts = (id: string, ...parts: ReturnType<typeof file>[]) => ({
  id,
  role: 'user' as const,
  parts: [{ type: 'text' as const, text: 'look' }, ...parts],
})

test('texts, tables and JSON reach every model as text with their name', async () => {
  const { send, model } = await talk(() => ({ text: 'read' }))
  const files = [
    file('text/csv', 'a,b\n1,2', 't.csv'),
    file('application/json', '{"deep":7}', 'd.json'),
    file('text/markdown;charset=utf-8', '# Head', 'm.md'),
  ]
  await send('c1', [withParts('m1', ...files)])
  await send('c1', [said('m2', 'and now?')])
  const asked = JSON.stringify(model.requests.at(-1)?.messages)
  for (const word of ['t.csv', String.raw`a,b\n1,2`, 'd.json', 'deep', '# Head'])
    expect(asked).toContain(word)
  expect(asked).not.toContain('base64')
})

test('a long text is cut to the room that the model has, and marked', async () => {
  const { send, model } = await talk(() => ({ text: 'read' }), {
    models: { windows: { [fakeModel]: 8000 } },
  })
  await send('c1', [withParts('m1', file('text/plain', 'x'.repeat(500_000), 'long.txt'))])
  const asked = JSON.stringify(model.requests.at(-1)?.messages)
  expect(asked.length).toBeLessThan(10_000)
  expect(asked).toContain('496000 more characters are not shown')
})

test('what the model can not be sent is refused before anything is kept', async () => {
  const { ask, api, model } = await talk(() => ({ text: 'heard' }))
  const sound = file('audio/mp4', Buffer.from('\0\0\0\u0018ftypM4A '), 'a.m4a')
  const refused = await ask('/agents/helper/chat', { id: 'c1', message: withParts('m1', sound) })
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({
    code: 'invalid_request',
    detail: expect.stringContaining("can't read files of type audio/mp4"),
  })
  expect((await api.listConversations(owner, { limit: 1 })).items).toEqual([])
  expect(model.requests).toEqual([])
})

test('a file from before the agent had another model does not end the conversation', async () => {
  const { ask, api, model } = await talk(() => ({ text: 'well' }))
  const agent = agentSchema.parse({ slug: 'second', model: 'demo' })
  await api.createAgent(owner, agent)
  const sound = file('audio/mp4', Buffer.from('\0\0\0\u0018ftypM4A '), 'a.m4a')
  await (await ask('/agents/second/chat', { id: 'c1', message: withParts('m1', sound) })).text()
  await api.changeAgent(owner, { slug: 'second', model: fakeModel })
  const next = await (await ask('/agents/second/chat', { id: 'c1', message: 'and?' })).text()
  expect(next).toContain('well')
  const asked = JSON.stringify(model.requests.at(-1)?.messages)
  expect(asked).toContain("of type audio/mp4 that this model can't read")
})

test('a file that is not what it says is refused', async () => {
  const { ask } = await talk(() => ({ text: 'never' }))
  for (const type of ['image/webp', 'audio/wav', 'audio/mp4']) {
    const message = withParts('m1', file(type, '<html>made up</html>', 'x'))
    const refused = await ask('/agents/helper/chat', { message })
    expect(refused.status).toBe(400)
    expect(JSON.stringify(await refused.json())).toContain('not of its type')
  }
})
