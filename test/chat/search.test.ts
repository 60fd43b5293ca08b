import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { fakeModel } from './fake-model.ts'
import { openChat, owner } from './open-chat.ts'

const tools = { allow: ['test.*'] }
let talk: Awaited<ReturnType<typeof openChat>>
let sent: unknown
beforeAll(async () => {
  const answer = (number: number) =>
    number % 2 === 1
      ? { calls: [{ name: 'tools_call', input: { name: 'test.add', input: sent } }] }
      : { text: 'done' }
  talk = await openChat((_request, number) => answer(number), {
    agents: [
      { slug: 'finder', model: 'demo', toolMode: 'search', tools },
      { slug: 'objects', model: fakeModel, toolMode: 'search', tools },
    ],
  })
})
beforeEach(() => void (talk.done.length = 0))
afterAll(() => talk.close())

/** Begins a run and waits for its end. */
async function run(agent: string, prompt: string) {
  const begun = await talk.ask(`/agents/${agent}/runs`, { prompt })
  const { id } = (await begun.json()) as { id: string }
  return talk.api.findRun(owner, { id, wait: 60 })
}

test('the demo model runs what is not listed by its name', async () => {
  const { status, output } = await run('finder', 'run test.add with n=4')
  expect({ status, output }).toEqual({ status: 'completed', output: 'test.add returned sum: 5.' })
  expect(talk.done).toEqual([['add', 4]])
  const { items } = await talk.api.listCalls(owner, { limit: 5 })
  expect(items.map(({ tool, input }) => ({ tool, input }))).toEqual([
    { tool: 'test.add', input: { n: 4 } },
  ])
})

test.each([
  ['an object', { n: 6 }],
  ['JSON text', '{"n":6}'],
])('a model may give the input of tools.call as %s', async (_, input) => {
  sent = input
  const { status } = await run('objects', 'go')
  expect(status).toBe('completed')
  expect(talk.done).toEqual([['add', 6]])
})
