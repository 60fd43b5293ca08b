import { expect, test } from 'vitest'
import { defineTool, z } from '../../src/app/index.ts'
import { ownerOf } from '../../src/app/owner.ts'
import type { Run } from '../../src/core/conversations/conversation-api.ts'
import { fakeModel, type ModelRequest } from './fake-model.ts'
import { closingChats, owner, said, shortly } from './open-chat.ts'

const talk = closingChats()

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
  // Tools have said part of it: it never gets the rank of instructions.
  expect(last?.messages.map(({ role }) => role).slice(0, 2)).toEqual(['system', 'user'])
  expect(JSON.stringify(last?.messages[0])).not.toContain('THE SUMMARY')
  expect(JSON.stringify(last?.messages[1])).toContain('THE SUMMARY')
  expect(JSON.stringify(last?.messages)).not.toContain('say 1 ')
  expect(JSON.stringify(last?.messages)).toContain('say 5 ')
  const [conversation] = (await api.listConversations(owner, { limit: 1 })).items
  const { items } = await api.findConversation(owner, { id: conversation?.id ?? '', limit: 100 })
  expect(items).toHaveLength(10)
})

const reading = defineTool({
  name: 'test.read',
  description: 'Reads much.',
  effect: 'read',
  inputSchema: z.object({ n: z.number() }),
  execute: ({ n }) => ({ text: `<${n}>${'word '.repeat(8000)}</${n}>` }),
})

const sizeOf = (request: ModelRequest | undefined) => JSON.stringify(request?.messages).length

test('within a turn older results make room for newer ones', async () => {
  const { send, model } = await talk(
    (_, number) =>
      number <= 4
        ? { calls: [{ name: 'test_read', input: { n: number }, id: `r${number}` }] }
        : { text: 'read it all' },
    { models: { windows: { [fakeModel]: 4000 } }, tools: [reading] },
  )
  const message = await send('c1', [said('m1', 'read')])
  expect(Math.max(...model.requests.map(sizeOf))).toBeLessThan(12_000)
  const results = model.requests.at(-1)?.messages.filter(({ role }) => role === 'tool')
  expect(results).toHaveLength(4)
  expect(JSON.stringify(results?.[0]?.content)).toContain('left out')
  // What is stored, and what the person sees, is whole.
  expect(JSON.stringify(message.parts).length).toBeGreaterThan(160_000)
})

test('a model with a smaller context than known is asked again with less', async () => {
  const { send, model } = await talk(
    (request, number) => {
      if (number === 1) return { calls: [{ name: 'test_read', input: { n: 1 } }] }
      if (sizeOf(request) < 30_000) return { text: 'now it fits' }
      return { status: 400, message: "This model's maximum context length is 8192 tokens" }
    },
    { tools: [reading] },
  )
  const message = await send('c1', [said('m1', 'read')])
  expect(shortly(message).at(-1)).toBe('now it fits')
  expect(model.requests).toHaveLength(3)
  expect(message.parts.filter(({ type }) => type === 'step-start')).toHaveLength(2)
})

test('all of what is summed up is read, in pieces', async () => {
  const isSummary = (request: ModelRequest) =>
    JSON.stringify(request.messages[0]).includes('Sum up')
  const { send, model } = await talk(
    (request, number) =>
      isSummary(request) ? { text: `SUMMARY ${number}` } : { text: 'word '.repeat(2000) },
    { models: { windows: { [fakeModel]: 4000 } } },
  )
  await send('c1', [said('m1', `${'word '.repeat(1500)} NEEDLE ${'word '.repeat(1500)}`)])
  await send('c1', [said('m2', 'and?')])
  const summaries = model.requests.filter(isSummary)
  expect(summaries.length).toBeGreaterThan(2)
  expect(JSON.stringify(summaries)).toContain('NEEDLE')
  expect(JSON.stringify(summaries[1])).toContain('SUMMARY')
})

test.each([
  ['says nothing', { text: '' }],
  ['refuses', { status: 400 }],
])('a model that %s when it is to sum up does not end the conversation', async (_how, answer) => {
  const long = 'word '.repeat(600)
  const { send, model } = await talk(
    ({ messages }) =>
      JSON.stringify(messages[0]).includes('Sum up') ? answer : { text: `ok ${long}` },
    { models: { windows: { [fakeModel]: 4000 } } },
  )
  for (const number of [1, 2, 3])
    expect(shortly(await send('c1', [said(`m${number}`, `say ${number} ${long}`)]))).toHaveLength(1)
  expect(JSON.stringify(model.requests.at(-1)?.messages[1])).toMatch(/A summary.*say 1 .*say 3 /)
})

test.each([
  ['says nothing at all', { hang: true }],
  ['begins and says nothing more', { pause: 'so far ' }],
  ['opens its mouth and says nothing', { pause: '' }],
] as const)(
  'a model that %s when it is to sum up is given up soon, for this turn',
  async (_how, answer) => {
    const long = 'word '.repeat(600)
    const isSummary = (request: ModelRequest) =>
      JSON.stringify(request.messages[0]).includes('Sum up')
    const mood = { isSilent: true }
    const { send, ask, model } = await talk(
      (request) => {
        if (isSummary(request)) return mood.isSilent ? answer : { text: 'THE SUMMARY' }
        const isAdding = JSON.stringify(request.messages.at(-1)?.content).includes('say 3')
        return isAdding
          ? { calls: [{ name: 'test_add', input: { n: 1 } }] }
          : { text: `ok ${long}` }
      },
      {
        models: { windows: { [fakeModel]: 4000 } },
        limits: { modelFirstMs: 1000, modelChunkMs: 1000 },
      },
    )
    for (const number of [1, 2]) await send('c1', [said(`m${number}`, `say ${number} ${long}`)])
    const asked = () => model.requests.filter(isSummary).length
    const before = asked()
    // Two steps, and it is not asked to sum up again for the second.
    const said3 = await ask('/agents/helper/chat', { id: 'c1', message: `say 3 ${long}` })
    expect(await said3.text()).toContain('"sum":2')
    expect(asked() - before).toBeLessThanOrEqual(2)
    expect(asked()).toBeGreaterThan(0)
    const { usage } = (await (await ask(`/runs/${said3.headers.get('x-run-id')}`)).json()) as Run
    expect(usage.cutOffCalls).toBe(asked() - before)
    expect(JSON.stringify(model.requests.at(-1)?.messages[1])).toMatch(/A summary.*say 1 /)
    mood.isSilent = false
    await send('c1', [said('m4', `say 4 ${long}`)])
    expect(JSON.stringify(model.requests.at(-1)?.messages[1])).toContain('THE SUMMARY')
  },
)

test('a model is sent whole characters only, wherever a text was cut', async () => {
  const faces = (count: number) => '😀'.repeat(count)
  const staring = defineTool({
    name: 'test.stare',
    description: 'Sees faces.',
    effect: 'read',
    inputSchema: z.object({ n: z.number() }),
    execute: ({ n }) => ({ text: `${'.'.repeat(n)}${faces(6000)}` }),
  })
  const { send, model } = await talk(
    ({ messages }, number) => {
      if (JSON.stringify(messages[0]).includes('Sum up')) return { text: 'faces' }
      return number % 5 === 0
        ? { text: faces(1000) }
        : { calls: [{ name: 'test_stare', input: { n: number }, id: `s${number}` }] }
    },
    { models: { windows: { [fakeModel]: 4000 } }, tools: [staring] },
  )
  const [half] = '😀'
  for (const number of [1, 2, 3]) {
    const text = `${'.'.repeat(number)}${faces(1000)}${half?.[0]}`
    await send('c1', [said(`m${number}`, text)])
  }
  expect(model.requests.length).toBeGreaterThan(10)
  const broken: string[] = []
  JSON.stringify(model.requests, (key, value: unknown) => {
    if (typeof value === 'string' && !value.isWellFormed()) broken.push(key)
    return value
  })
  expect(broken).toEqual([])
})

test('what a model said that is nothing but spaces is not sent back to it', async () => {
  const { send, model } = await talk((_, number) => {
    if (number === 1) return { text: ' \n\n', calls: [{ name: 'test_add', input: { n: 1 } }] }
    return number === 2 ? { cut: '\n' } : { text: 'two' }
  })
  await send('c1', [said('m1', 'add')])
  await send('c1', [said('m2', 'and?')])
  expect(model.requests[2]?.messages.map(({ role, content }) => [role, content])).toEqual([
    ['system', 'Help.'],
    ['user', 'add'],
    ['assistant', null],
    ['tool', '{"sum":2}'],
    ['user', 'and?'],
  ])
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
  const { items } = await api.findConversation(owner, { id: conversation?.id ?? '', limit: 10 })
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
  await api.writeLimit(ownerOf(), { name: 'spend', of: 'agent', costPerDay: 150 })
  const run = async () => {
    const { id } = (await (await ask('/agents/helper/runs', { prompt: 'hi' })).json()) as {
      id: string
    }
    return api.findRun(owner, { id, wait: 60 })
  }
  expect(await run()).toMatchObject({ status: 'completed', usage: { cost: 100 } })
  expect(await run()).toMatchObject({ status: 'completed' })
  expect(await run()).toMatchObject({ status: 'failed', error: { code: 'budget_exceeded' } })
})
