import { afterEach, expect, test } from 'vitest'
import { ownerOf } from '../../src/app/owner.ts'
import { fakeModel, type Script } from './fake-model.ts'
import { openTalk, owner, said } from './talking.ts'

let open: Awaited<ReturnType<typeof openTalk>>[] = []
afterEach(async () => {
  await Promise.all(open.map((one) => one.close()))
  open = []
})

async function talk(script: Script, more: Parameters<typeof openTalk>[1] = {}) {
  const opened = await openTalk(script, more)
  open.push(opened)
  return opened
}

test('a long conversation is summed up for the model, and stays whole in the store', async () => {
  const long = 'word '.repeat(600)
  const { send, api, model } = await talk(
    ({ messages }) =>
      JSON.stringify(messages[0]).includes('Sum up')
        ? { text: 'THE SUMMARY' }
        : { text: `ok ${long}` },
    { models: { windows: { [fakeModel]: 4000 } } },
  )
  for (const number of [1, 2, 3, 4, 5])
    await send('c1', [said(`m${number}`, `say ${number} ${long}`)])
  const last = model.requests.at(-1)
  expect(JSON.stringify(last?.messages[0])).toContain('THE SUMMARY')
  expect(JSON.stringify(last?.messages)).not.toContain('say 1 ')
  expect(JSON.stringify(last?.messages)).toContain('say 5 ')
  const [conversation] = (await api.listConversations(owner, { limit: 1 })).items
  const { items } = await api.findConversation(owner, conversation?.id ?? '', { limit: 100 })
  expect(items).toHaveLength(10)
})

test('a picture reaches the model as it was sent, and is read again by its owner alone', async () => {
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])
  const url = `data:image/png;base64,${png.toString('base64')}`
  const { send, ask, api, model } = await talk(() => ({ text: 'a picture' }))
  const picture = { type: 'file', mediaType: 'image/png', filename: 'a.png', url } as const
  await send('c1', [
    { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'what is it?' }, picture] },
  ])
  expect(JSON.stringify(model.requests[0]?.messages)).toContain(url)
  const [conversation] = (await api.listConversations(owner, { limit: 1 })).items
  const { items } = await api.findConversation(owner, conversation?.id ?? '', { limit: 10 })
  const stored = items[0]?.parts[1] as { url: string }
  const file = await ask(stored.url.replace('/api/v1', ''))
  expect(Buffer.from(await file.arrayBuffer())).toEqual(png)
  const { token } = await api.createKey(owner, { name: 'other', scopes: ['agents.chat'] })
  expect((await ask(stored.url.replace('/api/v1', ''), undefined, token)).status).toBe(404)
  const tries = [
    { ...picture, url: 'https://example.com/a.png' },
    { ...picture, mediaType: 'text/html' },
    { ...picture, url: `data:image/png;base64,${Buffer.from('<svg>').toString('base64')}` },
  ]
  for (const part of tries) {
    const refused = await ask('/agents/helper/chat', {
      message: { id: 'm', role: 'user', parts: [part] },
    })
    expect(refused.status).toBe(400)
  }
})

test('what models cost counts, and a budget that is used up ends the turn', async () => {
  const prices = { [fakeModel]: { input: 1_000_000, output: 0 } }
  const { ask, api } = await talk(() => ({ text: 'dear' }), { models: { prices } })
  await api.writeLimit(ownerOf(), 'spend', { of: 'agent', costPerDay: 150 })
  const run = async () => {
    const { id } = (await (await ask('/agents/helper/runs', { prompt: 'hi' })).json()) as {
      id: string
    }
    return api.findRun(owner, id, { waitMs: 20_000 })
  }
  expect(await run()).toMatchObject({ status: 'completed', usage: { cost: 100 } })
  expect(await run()).toMatchObject({ status: 'completed' })
  expect(await run()).toMatchObject({ status: 'failed', error: { code: 'budget_exceeded' } })
})
