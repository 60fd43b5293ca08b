import { AbstractChat, type ChatState, type UIMessage } from 'ai'
import { expect, test } from 'vitest'
import type { ModelRequest } from './fake-model.ts'
import { closingChats, owner, shortly } from './open-chat.ts'

const openOne = closingChats()

/** What `useChat` is made of, without a screen. */
class Chat extends AbstractChat<UIMessage> {
  constructor(init: Omit<ConstructorParameters<typeof AbstractChat<UIMessage>>[0], 'state'>) {
    const state: ChatState<UIMessage> = {
      status: 'ready',
      error: undefined,
      messages: [],
      pushMessage: (message) => void (state.messages = [...state.messages, message]),
      popMessage: () => void (state.messages = state.messages.slice(0, -1)),
      replaceMessage: (index, message) =>
        void (state.messages = state.messages.with(index, structuredClone(message))),
      snapshot: (value) => structuredClone(value),
    }
    super({ ...init, state })
  }
}

const saidIn = ({ messages }: ModelRequest) =>
  JSON.stringify(messages.find(({ role }) => role === 'user'))
const results = ({ messages }: ModelRequest) => messages.filter(({ role }) => role === 'tool')

/** One agent is sent out, which pays twice, one after the other. */
async function openPaying() {
  const opened = await openOne((request) => {
    const made = results(request).length
    if (saidIn(request).includes('begin')) {
      if (made > 0) return { text: 'all done' }
      const input = { tasks: [{ prompt: 'pay it' }], maxSteps: null, maxTokens: null }
      return { calls: [{ name: 'agents_spawn', input }] }
    }
    if (made === 2) return { text: 'paid' }
    return { calls: [{ name: 'test_pay', input: { n: made + 1 } }] }
  })
  const chat = new Chat({ id: 'c1', transport: opened.transport })
  return { ...opened, chat }
}

const questions = (message: { parts: readonly unknown[] } | undefined) =>
  ((message?.parts ?? []) as { type: string; data: Record<string, unknown> }[]).flatMap((part) =>
    part.type === 'data-approval' ? [part.data] : [],
  )

test('a client of the SDK sees what an agent below asks, answers it, and sees it decided', async () => {
  const { chat, done, api } = await openPaying()
  await chat.sendMessage({ text: 'begin' })
  const first = questions(chat.lastMessage)
  expect(first).toMatchObject([
    { tool: 'test.pay', input: { n: 1 }, agent: 'helper', status: 'pending' },
  ])
  const [conversation] = (await api.listConversations(owner, { kind: 'chat', limit: 1 })).items
  const stored = async () =>
    (await api.findConversation(owner, { id: conversation?.id ?? '', limit: 10 })).items.at(-1)
  expect(questions(await stored())).toEqual(first)

  const approve = (id: unknown) =>
    chat.sendMessage(undefined, { body: { approvals: [{ id, approved: true }] } })
  await approve(first[0]?.['id'])
  const second = questions(chat.lastMessage)
  expect(second).toMatchObject([
    { input: { n: 1 }, status: 'approved' },
    { input: { n: 2 }, status: 'pending' },
  ])
  expect(done).toEqual([['pay', 1]])

  await approve(second[1]?.['id'])
  expect(chat.error).toBeUndefined()
  expect(questions(chat.lastMessage).map(({ status }) => status)).toEqual(['approved', 'approved'])
  expect(shortly(chat.lastMessage as UIMessage).at(-1)).toBe('all done')
  expect(chat.messages).toHaveLength(2)
  expect(questions(await stored())).toEqual(questions(chat.lastMessage))
  expect(done).toEqual([
    ['pay', 1],
    ['pay', 2],
  ])
})

test('a no to an agent below reaches it with its reason', async () => {
  const { chat, done } = await openPaying()
  await chat.sendMessage({ text: 'begin' })
  for (const reason of ['not now', 'nor now']) {
    const open = questions(chat.lastMessage).find(({ status }) => status === 'pending')
    const approvals = [{ id: open?.['id'], approved: false, reason }]
    await chat.sendMessage(undefined, { body: { approvals } })
  }
  expect(questions(chat.lastMessage)).toMatchObject([
    { status: 'rejected', reason: 'not now' },
    { status: 'rejected', reason: 'nor now' },
  ])
  expect(done).toEqual([])
})
