import { expect, test } from 'vitest'
import type { Crib } from '../../app/index.ts'
import type { Caller } from '../../core/kernel/call.ts'
import { freshStore } from '../../testing/fresh-store.fixture.ts'
import { createTestCrib } from '../../testing/index.ts'
import { askedIn, hour, noon, questionsOf } from './store/testing/questions.ts'
import type { QuestionParts } from './parts.ts'
import { createQuestionSweep } from './sweep-questions.ts'

const owner: Caller = {
  tenant: 'default',
  principal: { kind: 'user', id: 'owner' },
  permissions: ['*'],
  runtime: 'api',
}

/** Two nodes on one store, with a clock to set. */
async function twoNodes() {
  const store = await freshStore()
  const clock = { now: noon }
  const warnings: string[] = []
  const parts = {
    questions: questionsOf(store),
    calls: store.calls,
    registry: { find: () => undefined },
    now: () => clock.now,
    work: { wake: () => undefined },
    onSettled: () => undefined,
    onWarning: (message: string) => warnings.push(message),
  } as unknown as QuestionParts
  const nodes = [createQuestionSweep(parts), createQuestionSweep(parts)]
  const typesOf = async (tenant: string) => {
    const { items } = await store.events.read(tenant, { limit: 200 })
    return items.map(({ type }) => type).filter((type) => type.startsWith('question.'))
  }
  return {
    store,
    warnings,
    typesOf,
    async at(ms: number) {
      clock.now = ms
      await Promise.all(nodes.map((node) => node.run()))
    },
    questions: questionsOf(store),
  }
}

test('each reminder is sent once by two nodes; those of a long stop are left out', async () => {
  const { store, at, typesOf, questions, warnings } = await twoNodes()
  const reminding = { remindEveryMs: hour, remindMs: noon + hour }
  const { id } = await askedIn(store, 'default', reminding)
  await at(noon + hour - 1)
  expect((await typesOf('default')).length).toBe(1)
  await at(noon + hour)
  await at(noon + hour + 1)
  await at(noon + 9.5 * hour)
  expect(await questions.find('default', id)).toMatchObject({
    reminders: 2,
    remindMs: noon + 10 * hour,
    status: 'pending',
  })
  expect(await typesOf('default')).toEqual([
    'question.asked',
    'question.reminded',
    'question.reminded',
  ])
  expect(warnings).toEqual([])
})

test('two nodes end an expired question once: the call fails, or gets the default answer', async () => {
  const { store, at, typesOf } = await twoNodes()
  const plain = await askedIn(store, 'default')
  const other = await askedIn(store, 'default', { onExpiry: { amount: 0 } })
  await at(plain.expiresMs)
  expect(await store.calls.find('default', plain.callId)).toMatchObject({
    status: 'failed',
    error: { code: 'approval_expired' },
  })
  expect(await store.calls.find('default', other.callId)).toMatchObject({
    status: 'completed',
    output: { amount: 0 },
  })
  const told = await typesOf('default')
  expect(told.filter((type) => type === 'question.expired')).toHaveLength(2)
})

test('a running server sends due messages by itself', async () => {
  const crib: Crib = await createTestCrib()
  try {
    const input = { title: 'Quick?', expiresIn: '1s', onExpiry: { answer: 'nobody' } }
    const { callId = '' } = await crib.api.call({ tool: 'flow.ask', input, caller: owner })
    const call = await crib.api.findCall(owner, { id: callId, wait: 20 })
    expect(call).toMatchObject({ status: 'completed', output: { answer: 'nobody' } })
  } finally {
    await crib.close()
  }
})
