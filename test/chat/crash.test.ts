import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { DefaultChatTransport, type UIMessage, type UIMessageChunk } from 'ai'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Approval } from '../../src/core/approvals/approval.ts'
import type { Run } from '../../src/core/conversations/conversation-api.ts'
import { createTempDatabase } from '../../src/store/contract/temp-store.ts'
import { crashStores } from '../setup/crash-stores.ts'
import { fakeModel, type ModelRequest, startFakeModel } from './fake-model.ts'
import { readMessage, shortly } from './open-chat.ts'

const program = path.join(import.meta.dirname, '../../bin/toolcrib')

let folder: string
let database: string | undefined
let model: Awaited<ReturnType<typeof startFakeModel>>
let servers: ChildProcess[] = []
/** How often the model was asked about what was to be held. */
let held: number

beforeEach(async () => {
  held = -1
  folder = await mkdtemp(path.join(tmpdir(), 'toolcrib talk '))
  model = await startFakeModel(answer)
  await mkdir(path.join(folder, 'tools'))
  await writeFile(path.join(folder, 'tools/work.tool.mjs'), toolFile)
  const agent = { slug: 'helper', model: fakeModel, tools: { allow: ['*'] } }
  const config = {
    ...model.config,
    tools: ['./tools'],
    agents: [agent],
    // On a busy machine a server may stand still for seconds, and must not count as dead for that.
    limits: { nodeTimeoutMs: 8000 },
  }
  await writeFile(path.join(folder, 'toolcrib.config.json'), JSON.stringify(config))
})
afterEach(async () => {
  await Promise.all(servers.map(kill))
  servers = []
  await model.close()
  await rm(folder, { recursive: true, force: true })
})

const toolFile = `
import { appendFile } from 'node:fs/promises'
import { defineTool, z } from 'toolcrib'
const note = (word) => appendFile(new URL('../done', import.meta.url), word + '\\n')
const input = z.object({ word: z.string() })
export const slow = defineTool({
  name: 'work.slow', description: 'Takes long.', effect: 'write', inputSchema: input,
  async execute({ word }) {
    await note('slow ' + word)
    await new Promise((resolve) => setTimeout(resolve, 60000))
    return 'done'
  },
})
export const pay = defineTool({
  name: 'work.pay', description: 'Pays.', effect: 'destructive', approval: 'always', inputSchema: input,
  async execute({ word }) {
    await note('pay ' + word)
    return 'paid'
  },
})
`

/** Does what the person says: \`slow\`, \`pay\`, or talks for a while. */
function answer({ messages }: ModelRequest) {
  const text = JSON.stringify(messages)
  const last = messages.at(-1)
  // Whoever is asked for the first time is still thinking when its server is killed.
  const isFirst = text.includes('HOLD') && ++held === 1
  if (last?.role === 'tool' && isFirst) return { text: 'lost words', delayMs: 60_000 }
  if (last?.role === 'tool') return { text: `heard: ${JSON.stringify(last.content)}` }
  if (text.includes('SLOW')) return { calls: [{ name: 'work_slow', input: { word: 'x' } }] }
  const word = text.includes('HOLD') ? 'z' : 'y'
  if (text.includes('PAY')) return { calls: [{ name: 'work_pay', input: { word } }] }
  if (text.includes('STALL') && model.requests.length === 1) return { pause: 'one two three ' }
  return { text: 'one two three four five six seven eight nine ten', delayMs: 150 }
}

async function start() {
  const args = ['start', '--json', '--port', '0', '--data', path.join(folder, 'data')]
  const more = database === undefined ? [] : ['--database', database]
  const child = spawn(program, [...args, ...more], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  servers.push(child)
  for await (const line of createInterface({ input: child.stdout })) {
    const { url } = JSON.parse(line) as { url: string }
    const { key } = JSON.parse(await readFile(path.join(folder, 'data/server.json'), 'utf8')) as {
      key: string
    }
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const ask = async <T>(place: string, body?: unknown): Promise<T> => {
      const init =
        body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
      const response = await fetch(`${url}/api/v1${place}`, init)
      if (response.status >= 400) throw new Error(await response.text())
      return (await response.json()) as T
    }
    const api = `${url}/api/v1/agents/helper/chat`
    return { child, ask, transport: new DefaultChatTransport<UIMessage>({ api, headers }) }
  }
  throw new Error('the server ended')
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}

async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look().catch(() => undefined)
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

async function findApproval({ ask }: Awaited<ReturnType<typeof start>>): Promise<Approval> {
  return until(async () => {
    const { items } = await ask<{ items: Approval[] }>('/approvals?status=pending')
    return items[0]
  })
}

/** Until the server has heard more of the model's answer. */
async function nextWords(reader: ReadableStreamDefaultReader<UIMessageChunk>): Promise<void> {
  for (;;) {
    const { done: isOver, value } = await reader.read()
    if (isOver) throw new Error('the stream ended without words')
    if (value.type === 'text-delta') return
  }
}

const done = () => readFile(path.join(folder, 'done'), 'utf8')

test.each(crashStores('postgres'))(
  'after kill -9 on the %s store each turn goes on where it was: asked again, told what is not known, and run once',
  async (store) => {
    database = store === 'embedded' ? undefined : (await createTempDatabase()).url
    const first = await start()
    const run = (prompt: string) => first.ask<Run>('/agents/helper/runs', { prompt })
    // Paid after an approval, told to the model, and the model has begun to answer.
    const hold = await run('PAY and HOLD')
    const { id: paid } = await findApproval(first)
    await first.ask(`/approvals/${paid}/decision`, { decision: 'approve' })
    await until(async () => (held === 1 ? true : undefined))
    // One is in the middle of its tool, one waits for a person.
    const [slow, pay] = await Promise.all([run('SLOW'), run('PAY')])
    await until(async () => ((await done()) === 'pay z\nslow x\n' ? true : undefined))
    const waits = await findApproval(first)
    // The chat is in the middle of its words.
    const send = {
      trigger: 'submit-message',
      chatId: 'c1',
      messageId: undefined,
      abortSignal: undefined,
    } as const
    const said: UIMessage = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'talk' }] }
    const stream = await first.transport.sendMessages({ ...send, messages: [said] })
    const reader = stream.getReader()
    for (let words = 0; words < 3; words += 1) await nextWords(reader)
    await kill(first.child)

    const second = await start()
    await second.ask(`/approvals/${waits.id}/decision`, { decision: 'approve' })
    const again = await until(
      async () => (await second.transport.reconnectToStream({ chatId: 'c1' })) ?? undefined,
    )
    expect(shortly(await readMessage(again))).toEqual([
      'one two three four five six seven eight nine ten',
    ])
    const ends = await Promise.all(
      [hold, pay, slow].map(({ id }) => second.ask<Run>(`/runs/${id}?wait=60`)),
    )
    expect(ends.map(({ status, output }) => [status, output])).toEqual([
      ['completed', 'heard: "paid"'],
      ['completed', 'heard: "paid"'],
      ['completed', expect.stringContaining('outcome_unknown')],
    ])
    // What the lost words took is not known; that they were asked for is.
    expect(ends.map(({ usage }) => [usage.modelCalls, usage.cutOffCalls])).toEqual([
      [3, 1],
      [2, undefined],
      [2, undefined],
    ])
    expect(await done()).toBe('pay z\nslow x\npay y\n')
    // What was held goes on once more: asked about what the person said, and twice about what was paid.
    const asked = model.requests.filter(({ messages }) => JSON.stringify(messages).includes('HOLD'))
    const roles = asked.map(({ messages }) => messages.at(-1)?.role)
    expect(roles).toEqual(['user', 'tool', 'tool'])
    const { items } = await second.ask<{ items: { type: string }[] }>(
      '/events?types=turn.completed,turn.failed,call.completed',
    )
    expect(items.map(({ type }) => type).toSorted()).toEqual([
      ...Array.from({ length: 2 }, () => 'call.completed'),
      ...Array.from({ length: 4 }, () => 'turn.completed'),
    ])
  },
)

test('what a server had a model say before it stopped counts with what the next one has it say', async () => {
  database = undefined
  const first = await start()
  const { id, conversationId } = await first.ask<Run>('/agents/helper/runs', { prompt: 'STALL' })
  const stream = await until(
    async () => (await first.transport.reconnectToStream({ chatId: conversationId })) ?? undefined,
  )
  await nextWords(stream.getReader())
  const ended = new Promise((resolve) => first.child.once('exit', resolve))
  first.child.kill('SIGTERM')
  await ended

  const second = await start()
  const { status, usage } = await until(async () => {
    const run = await second.ask<Run>(`/runs/${id}?wait=30`)
    return run.status === 'running' || run.status === 'queued' ? undefined : run
  })
  expect(status).toBe('completed')
  expect(usage).toMatchObject({ modelCalls: 2, cutOffCalls: 1 })
  // The whole answer took 100 and 10.
  expect(usage.inputTokens).toBeGreaterThan(100)
  expect(usage.outputTokens).toBeGreaterThan(10)
})
