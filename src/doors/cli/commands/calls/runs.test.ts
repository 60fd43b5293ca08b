import { expect, test } from 'vitest'
import type { Run } from '../../../../core/conversations/conversation-api.ts'
import { createFakeApi, json } from '../../testing/fake-api.ts'
import { runLine } from '../../testing/run-line.ts'

const run: Run = {
  id: 'turn_1',
  agent: 'support',
  conversationId: 'conv_1',
  status: 'running',
  steps: 0,
  usage: { modelCalls: 0, inputTokens: 0, outputTokens: 0, cachedTokens: 0, cost: 0 },
  createdAt: '2026-01-01T00:00:00.000Z',
}
const ended = { ...run, status: 'completed', output: 'done', settledAt: run.createdAt }
const start = ['runs', 'start', 'support', 'Sum up']

test('a run started without a server shows that it waits for one', async () => {
  const api = createFakeApi({
    'POST /agents/support/runs': () => json(run, 202),
    'GET /runs/turn_1': () => json(ended),
  })
  expect(await runLine(start, api)).toEqual({
    code: 0,
    out: 'turn_1 running after 0 steps, 0 tokens in, 0 out\n',
    err: '! No server is running here; agents need one: toolcrib start\n',
  })
  expect((await runLine([...start, '--wait', '9'], api)).err).toBe('')
  const env = { TOOLCRIB_URL: 'http://crib.local', TOOLCRIB_KEY: 'k' }
  expect((await runLine(start, { env, more: { fetch: api.fetch } })).err).toBe('')
  expect((await runLine([...start, '--json'], api)).err).toBe('')
})

test('the usage of a run is shown as far as it is known', async () => {
  const cutOff = (inputTokens: number, cutOffCalls: number): Run => ({
    ...run,
    usage: { ...run.usage, modelCalls: 3, inputTokens, cutOffCalls },
  })
  const items = [cutOff(0, 1), cutOff(1200, 2), run]
  const api = createFakeApi({
    'GET /runs': () => json({ items }),
    'GET /runs/turn_a': () => json(items[0]),
    'GET /runs/turn_b': () => json(items[1]),
  })
  const { out } = await runLine(['runs'], api)
  const tokens = out.split('\n').map((line) => line.split(/ {2,}/)[4])
  expect(tokens.slice(0, 4)).toEqual(['tokens', 'not known', 'about 1200', '0'])
  expect((await runLine(['runs', 'turn_a'], api)).out).toContain(
    'tokens not known (1 model call was cut off)',
  )
  expect((await runLine(['runs', 'turn_b'], api)).out).toContain(
    'about 1,200 tokens in, 0 out (2 model calls were cut off)',
  )
})
