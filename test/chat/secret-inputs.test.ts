import { expect, test } from 'vitest'
import { defineTool, z } from '../../src/app/index.ts'
import { fakeModel } from './fake-model.ts'
import { closingChats, owner } from './open-chat.ts'

const openOne = closingChats()
const password = 'hunter2-very-secret'

function createLogin(approval: 'auto' | 'always') {
  const ran: unknown[] = []
  const login = defineTool({
    name: 'test.login',
    description: 'Signs in.',
    effect: 'write',
    approval,
    inputSchema: z.object({ user: z.string(), password: z.string().meta({ format: 'password' }) }),
    execute(input) {
      ran.push(input)
      return { echo: input.password }
    },
  })
  return { ran, login }
}

test.each([
  ['called by its name', 'list', { name: 'test_login', input: { user: 'ann', password } }],
  [
    'called through tools.call',
    'search',
    {
      name: 'tools_call',
      input: { name: 'test.login', input: JSON.stringify({ user: 'ann', password }) },
    },
  ],
])('%s, a secret that a model gives is in no message and no stream', async (_, toolMode, call) => {
  const { ran, login } = createLogin('auto')
  const agent = { slug: 'secretive', model: fakeModel, toolMode, tools: { allow: ['*'] } }
  const { ask, store, model, api } = await openOne(
    (_request, number) => (number === 1 ? { calls: [call] } : { text: 'done' }),
    { tools: [login], agents: [agent] },
  )
  const answer = await ask('/agents/secretive/chat', { id: 'c1', message: 'sign in' })
  const stream = await answer.text()
  expect(ran).toEqual([{ user: 'ann', password }])
  expect(stream).toContain('[redacted:password]')
  const { conversations } = store
  const [turn] = (await conversations.listTurns(owner.tenant, { limit: 1 })).items
  if (turn === undefined) throw new Error('there is no turn')
  const kept = [
    await conversations.listMessages(owner.tenant, turn.conversationId, { limit: 10 }),
    await conversations.readChunks(owner.tenant, turn.id, 0),
    await api.listCalls(owner, { limit: 10 }),
    // What the model is sent the second time.
    model.requests[1],
  ].map((one) => JSON.stringify(one))
  for (const text of kept) expect(text).toContain('[redacted:password]')
  expect(stream + kept.join()).not.toContain('hunter2')
})

test('a turn that is taken up by another makes its call with the secret, which it finds sealed', async () => {
  const { ran, login } = createLogin('always')
  const opened = await openOne(
    (_request, number) =>
      number === 1
        ? { calls: [{ name: 'test_login', input: { user: 'ann', password } }] }
        : { text: 'done' },
    { tools: [login] },
  )
  const { store, api, ask } = opened
  const { inputs } = store
  const sealed: string[] = []
  store.conversations.saveStep = ((save) => (lease, step) => {
    const { sealedInput } = step.pass ?? {}
    if (sealedInput !== undefined) sealed.push(lease.turnId, sealedInput)
    return save(lease, step)
  })(store.conversations.saveStep)
  const begun = await ask('/agents/helper/runs', { prompt: 'sign in' })
  const { id } = (await begun.json()) as { id: string }
  await expect
    .poll(() => api.listApprovals(owner, { limit: 1 }))
    .toMatchObject({
      items: [{ input: { user: 'ann', password: '[redacted:password]' } }],
    })
  const [turnId = '', text = ''] = sealed
  expect(Object.values(inputs.open(text, turnId) as object)).toEqual([{ user: 'ann', password }])
  const [approval] = (await api.listApprovals(owner, { limit: 1 })).items
  await api.decideApproval(owner, { id: approval?.id ?? '', decision: 'approve' })
  expect(await api.findRun(owner, { id, wait: 60 })).toMatchObject({ status: 'completed' })
  expect(ran).toEqual([{ user: 'ann', password }])
  expect(await store.conversations.findTurn(owner.tenant, turnId)).not.toHaveProperty('waiting')
})
