import { afterEach, expect, test } from 'vitest'
import { defineTool, z } from '../../src/app/index.ts'
import type { Run } from '../../src/core/conversations/talk-api.ts'
import type { ModelRequest, Script } from './fake-model.ts'
import { openTalk, owner, said, shortly } from './talking.ts'

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

const hasResult = ({ messages }: ModelRequest) => messages.at(-1)?.role === 'tool'

/** Runs until it is told to stop, and says when it has begun. */
function createSlow() {
  const begun = Promise.withResolvers<void>()
  const tool = defineTool({
    name: 'test.slow',
    description: 'Takes long.',
    effect: 'read',
    inputSchema: z.object({}),
    async execute(_input, { signal }) {
      begun.resolve()
      await new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
      })
    },
  })
  return { tool, begun: begun.promise }
}

test('a turn that is stopped while it makes its calls leaves nothing that waits for a person', async () => {
  const slow = createSlow()
  const { ask, api, done } = await talk(
    () => ({
      calls: [
        { name: 'test_pay', input: { n: 1 }, id: 'a' },
        { name: 'test_slow', input: {}, id: 'b' },
      ],
    }),
    { tools: [slow.tool] },
  )
  const run = (await (await ask('/agents/helper/runs', { prompt: 'go' })).json()) as Run
  await slow.begun
  const asked = async () => (await api.listApprovals(owner, { limit: 10 })).items
  await expect.poll(async () => (await asked()).map(({ status }) => status)).toEqual(['pending'])
  const stopped = (await (await ask(`/runs/${run.id}/cancel`, {})).json()) as Run
  expect(stopped.status).toBe('cancelled')
  const [approval] = await asked()
  expect(approval?.status).not.toBe('pending')
  const yes = await ask(`/approvals/${approval?.id}/decision`, { decision: 'approve' })
  expect(yes.status).toBe(409)
  expect(done).toEqual([])
})

test('what tools keep in a conversation, and its files, are of those alone whose it is', async () => {
  const look = defineTool({
    name: 'test.look',
    description: 'Looks.',
    effect: 'read',
    inputSchema: z.object({ at: z.enum(['state', 'files']) }),
    async execute({ at }, { state, attachments }) {
      return { found: (await (at === 'state' ? state?.get('n') : attachments?.list())) ?? null }
    },
  })
  const script: Script = (request) =>
    hasResult(request)
      ? { text: 'kept' }
      : { calls: [{ name: 'test_keep', input: { n: 42, fail: false } }] }
  const { ask, api } = await talk(script, { tools: [look] })
  const told = await ask('/agents/helper/chat', { id: 'c1', message: 'keep it' })
  await told.text()
  const sessionId = told.headers.get('x-conversation-id')
  const { token } = await api.createKey(owner, { name: 'other', scopes: ['tools.call'] })
  const lookAt = async (at: string, key?: string) => {
    const answer = await ask('/tools/test.look/calls', { input: { at }, sessionId }, key)
    return (await answer.json()) as { output?: unknown; error?: { code: string } }
  }
  expect((await lookAt('state')).output).toEqual({ found: 42 })
  expect((await lookAt('state', token)).error?.code).toBe('not_found')
  expect((await lookAt('files', token)).error?.code).toBe('not_found')
  const input = { n: 7, fail: false }
  const kept = await ask('/tools/test.keep/calls', { input, sessionId }, token)
  expect(await kept.json()).toMatchObject({ status: 'failed' })
  expect((await lookAt('state')).output).toEqual({ found: 42 })
})
