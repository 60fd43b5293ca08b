import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Crib, defineComposition, defineTool, z } from '../../app/index.ts'
import type { CribEvent } from '../../core/events/event.ts'
import type { Caller } from '../../core/kernel/call.ts'
import { createTestCrib } from '../../testing/index.ts'

const owner: Caller = {
  tenant: 'default',
  principal: { kind: 'user', id: 'owner' },
  permissions: ['*'],
  runtime: 'api',
}
const member = (id: string): Caller => ({
  ...owner,
  principal: { kind: 'user', id },
  permissions: ['tools.call', 'agents.chat'],
})
const began: string[] = []

/** Asks in the middle of its work. */
const refund = defineTool({
  name: 'billing.refund',
  description: 'Refunds what a person says.',
  effect: 'write',
  idempotent: true,
  inputSchema: z.object({ to: z.array(z.string()).optional() }),
  async execute({ to }, { call, callId }) {
    began.push(callId)
    const answer = (await call('flow.ask', { ...amountForm, to })) as { amount: number }
    return { refunded: answer.amount }
  },
})

/** Asks between two steps. */
const decide = defineComposition({
  name: 'billing.decide',
  description: 'Refunds what a person decides.',
  effect: 'write',
  inputSchema: z.object({ invoice: z.string() }),
  steps: [
    { id: 'ask', tool: 'flow.ask', input: { title: 'How much for {{input.invoice}}?' } },
    { id: 'keep', tool: 'flow.map', input: { value: '{{steps.ask.output.answer}} kept' } },
  ],
  output: { said: '{{steps.ask.output.answer}}', kept: '{{steps.keep.output}}' },
})

const amountForm = {
  title: 'How much?',
  schema: {
    type: 'object',
    properties: { amount: { type: 'number', minimum: 1 }, code: { type: 'string' } },
    required: ['amount'],
    additionalProperties: false,
  },
}

let crib: Crib
beforeAll(async () => {
  const agent = { slug: 'asker', model: 'demo', tools: { allow: ['flow.*'] } }
  crib = await createTestCrib({
    tools: [refund, decide],
    config: { tools: [], agents: [agent] },
  })
})
afterAll(() => crib.close())

/** The call of `flow.ask` and its question, once people can answer. */
async function ask(input: object, caller = owner) {
  const { callId = '' } = await crib.api.call({ tool: 'flow.ask', input, caller })
  return { callId, question: await questionOf(callId) }
}

async function questionOf(callId: string) {
  await expect
    .poll(async () => (await crib.api.findCall(owner, { id: callId })).status)
    .not.toBe('queued')
  const find = async () => {
    const { items } = await crib.api.listQuestions(owner, { limit: 200 })
    return items.find((one) => one.callId === callId)
  }
  await expect.poll(find).toBeDefined()
  const found = await find()
  if (found === undefined) throw new Error('no question')
  return found
}

const ended = (callId: string) => crib.api.findCall(owner, { id: callId, wait: 10 })

test('an answer is the output of the call that asked, and counts once', async () => {
  const { callId, question } = await ask(amountForm)
  expect(question).toMatchObject({
    title: 'How much?',
    to: ['requester'],
    status: 'pending',
    mayAnswer: true,
  })
  const answers = await Promise.allSettled(
    [5, 6].map((amount) => crib.api.answerQuestion(owner, { id: question.id, input: { amount } })),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(answers.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'already_settled' },
  })
  const call = await ended(callId)
  const now = await crib.api.findQuestion(owner, { id: question.id })
  expect(call).toMatchObject({ status: 'completed', output: now.answer })
  expect(now).toMatchObject({ status: 'answered', answeredBy: owner.principal, mayAnswer: false })
  await expect(crib.api.declineQuestion(owner, { id: question.id })).rejects.toMatchObject({
    code: 'already_settled',
  })
})

test('a wrong answer names its places and leaves the question open', async () => {
  const { question } = await ask(amountForm)
  const input = { amount: 0, code: 7 }
  await expect(crib.api.answerQuestion(owner, { id: question.id, input })).rejects.toMatchObject({
    code: 'invalid_input',
    issues: [{ path: '/amount' }, { path: '/code' }],
  })
  expect((await crib.api.findQuestion(owner, { id: question.id })).status).toBe('pending')
})

test('without a schema people write one text', async () => {
  const { callId, question } = await ask({ title: 'Why?' })
  await crib.api.answerQuestion(owner, { id: question.id, input: { answer: 'Because' } })
  expect((await ended(callId)).output).toEqual({ answer: 'Because' })
})

test('a decline fails the call with the reason', async () => {
  const { callId, question } = await ask(amountForm)
  await crib.api.declineQuestion(owner, { id: question.id, reason: 'Not mine' })
  expect(await ended(callId)).toMatchObject({
    status: 'failed',
    error: { code: 'approval_rejected', message: 'A person declined to answer: Not mine' },
  })
})

test('a tool that asks in the middle waits in storage, and continues with the answer', async () => {
  began.length = 0
  const { callId = '' } = await crib.api.call({ tool: 'billing.refund', input: {}, caller: owner })
  const nested = async () =>
    (await crib.api.listCalls(owner, { parent: callId, limit: 5 })).items[0]?.callId
  await expect.poll(nested).toBeDefined()
  const question = await questionOf((await nested()) ?? '')
  await crib.api.answerQuestion(owner, { id: question.id, input: { amount: 3 } })
  expect(await ended(callId)).toMatchObject({ status: 'completed', output: { refunded: 3 } })
  expect(began).toEqual([callId, callId])
})

test('a composition waits for the answer and continues with it', async () => {
  const input = { invoice: 'in_1' }
  const { callId = '' } = await crib.api.call({ tool: 'billing.decide', input, caller: owner })
  const question = await questionTitled('How much for in_1?')
  await crib.api.answerQuestion(owner, { id: question.id, input: { answer: 'half' } })
  expect(await ended(callId)).toMatchObject({
    status: 'completed',
    output: { said: 'half', kept: expect.stringContaining('half') },
  })
})

test('a turn of an agent waits for the answer and continues with it', async () => {
  const prompt = 'call flow.ask with {"title":"Which room?"}'
  const run = await crib.api.startRun(owner, { slug: 'asker', prompt })
  const question = await questionTitled('Which room?')
  expect(question.askedBy.agent).toBe('asker')
  await crib.api.answerQuestion(owner, { id: question.id, input: { answer: 'room 7' } })
  const done = await crib.api.findRun(owner, { id: run.id, wait: 20 })
  expect(JSON.stringify(done)).toContain('room 7')
})

async function questionTitled(wanted: string) {
  const find = async () =>
    (await crib.api.listQuestions(owner, { status: 'pending' })).items.find(
      ({ title }) => title === wanted,
    )
  await expect.poll(find, { timeout: 20_000 }).toBeDefined()
  const found = await find()
  if (found === undefined) throw new Error('no question')
  return found
}

test('only those asked may answer; others do not find the question', async () => {
  const ada = await crib.api.createMember(owner, { email: 'ada@example.com', role: 'member' })
  const { question } = await ask({ ...amountForm, to: [`user:ADA@example.com`] }, member('bob'))
  const { id } = question
  const input = { amount: 1 }
  await expect(crib.api.answerQuestion(member('eve'), { id, input })).rejects.toMatchObject({
    code: 'not_found',
  })
  const other = { ...owner, tenant: 'other' }
  await expect(crib.api.answerQuestion(other, { id, input })).rejects.toMatchObject({
    code: 'not_found',
  })
  // The caller and an owner see it; neither was asked.
  for (const seer of [member('bob'), owner]) {
    expect((await crib.api.findQuestion(seer, { id })).mayAnswer).toBe(false)
    await expect(crib.api.answerQuestion(seer, { id, input })).rejects.toMatchObject({
      code: 'forbidden',
    })
  }
  const bound = { ...member(ada.id), agent: 'support' }
  await expect(crib.api.answerQuestion(bound, { id, input })).rejects.toMatchObject({
    code: 'forbidden',
  })
  const ofCall = async (caller: Caller) =>
    (await crib.api.listQuestions(caller, { call: question.callId })).items.length
  expect(await Promise.all([member(ada.id), member('eve'), other].map(ofCall))).toEqual([1, 0, 0])
  const mine = await crib.api.listQuestions(member(ada.id), { mine: 'true' })
  expect(mine.items.map((one) => one.id)).toEqual([id])
  expect((await crib.api.listQuestions(member('eve'), {})).items).toEqual([])
  await crib.api.answerQuestion(member(ada.id), { id, input })
})

test('a question for a role is for all with those permissions, and can be reassigned', async () => {
  const { question } = await ask({ ...amountForm, to: ['role:operator'] })
  const { id } = question
  expect(question.mayAnswer).toBe(true)
  await expect(crib.api.findQuestion(member('eve'), { id })).rejects.toMatchObject({
    code: 'not_found',
  })
  const to = ['role:nobody']
  await expect(crib.api.reassignQuestion(owner, { id, to })).rejects.toMatchObject({
    code: 'invalid_input',
    issues: [{ path: '/to/0' }],
  })
  await crib.api.reassignQuestion(owner, { id, to: ['role:member'] })
  await expect(
    crib.api.reassignQuestion(member('eve'), { id, to: ['role:owner'] }),
  ).rejects.toMatchObject({ code: 'forbidden' })
  await crib.api.answerQuestion(member('eve'), { id, input: { amount: 2 } })
})

test('a cancelled call withdraws its question', async () => {
  const { callId, question } = await ask(amountForm)
  await crib.api.cancelCall(owner, { id: callId })
  const { id } = question
  expect((await crib.api.findQuestion(owner, { id })).status).toBe('withdrawn')
  await expect(crib.api.answerQuestion(owner, { id, input: { amount: 1 } })).rejects.toMatchObject({
    code: 'already_settled',
  })
})

test('the values of secret fields reach no record', async () => {
  const schema = {
    type: 'object',
    properties: { pin: { type: 'string', format: 'password' }, note: { type: 'string' } },
  }
  const { callId, question } = await ask({ title: 'The code?', schema })
  const input = { pin: 'hunter2-is-secret', note: 'use hunter2-is-secret' }
  await crib.api.answerQuestion(owner, { id: question.id, input })
  expect((await ended(callId)).output).toEqual({
    pin: '[redacted:pin]',
    note: 'use [redacted:pin]',
  })
  const events: CribEvent[] = []
  for await (const event of crib.events({ callId })) events.push(event)
  const shown = JSON.stringify([events, await crib.api.findQuestion(owner, { id: question.id })])
  expect(shown).not.toContain('hunter2')
  expect(events.map(({ type }) => type)).toContain('question.answered')
})

const deep = (levels: number): object =>
  levels === 0 ? {} : { type: 'object', properties: { a: deep(levels - 1) } }

test.each([
  ['a schema that is too deep', { schema: deep(40) }],
  ['a remote reference', { schema: { $ref: 'https://example.com/x.json' } }],
  ['a pattern beyond RE2', { schema: { properties: { a: { pattern: '(?=a)b' } } } }],
  ['a root that is no object', { schema: { type: 'string' } }],
  ['a form with a field that is not there', { ...amountForm, form: { order: ['b'] } }],
  ['an answer on expiry that does not fit', { ...amountForm, onExpiry: { amount: 0 } }],
  ['a member nobody knows', { to: ['user:nobody'] }],
  ['an addressee of no kind', { to: ['everyone'] }],
  ['an expiry beyond a month', { expiresIn: '40d' }],
  ['reminders every second', { remindEvery: '1s' }],
])('%s fails the call with the place', async (_title, more) => {
  const { callId = '' } = await crib.api.call({
    tool: 'flow.ask',
    input: { title: 'x', ...more },
    caller: owner,
  })
  const { status, error } = await ended(callId)
  expect(status).toBe('failed')
  expect(['invalid_input', 'invalid_schema']).toContain(error?.code)
  expect(error?.issues?.length).toBeGreaterThan(0)
})
