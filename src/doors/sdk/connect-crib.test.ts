import { generateText, isStepCount, type ModelMessage } from 'ai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { Crib } from '../../app/crib.ts'
import { ownerOf } from '../../app/owner.ts'
import { defineTool } from '../../core/define-tool.ts'
import { createHttpApp } from '../http/create-http-app.ts'
import { createTestCrib } from '../../testing/create-test-crib.ts'
import { connectCrib } from './connect-crib.ts'
import { callTools, playModel, sayText } from './testing/play-model.ts'

const ran: string[] = []
const requests: string[] = []
const broken = { next: 0 }
let crib: Crib
let key: string
let fetch: typeof globalThis.fetch

beforeAll(async () => {
  const write = (name: string, approval: 'auto' | 'always') =>
    defineTool({
      name,
      description: 'Writes a note.',
      effect: 'write',
      approval,
      inputSchema: z.object({ text: z.string() }),
      execute: ({ text }) => {
        ran.push(text)
        return { written: text }
      },
    })
  const count = defineTool({
    name: 'slow.count',
    description: 'Counts.',
    effect: 'read',
    inputSchema: z.object({}),
    async *execute() {
      yield 1
      await new Promise((resolve) => setTimeout(resolve, 20))
      return 2
    },
  })
  const hang = defineTool({
    name: 'slow.hang',
    description: 'Waits until it is stopped.',
    effect: 'write',
    inputSchema: z.object({}),
    execute: (_, { signal }) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason)),
      ),
  })
  const tools = [write('note.write', 'auto'), write('note.publish', 'always'), count, hang]
  crib = await createTestCrib({ tools })
  const made = await crib.api.createKey(ownerOf(), {
    name: 'agent',
    scopes: ['tools.call', 'approvals.decide'],
  })
  key = made.token
  const app = createHttpApp({ api: crib.api, version: '0', onFault: () => undefined })
  fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input)
    requests.push(`${init?.method ?? 'GET'} ${pathname}`)
    const response = await untilAborted(app.request(input, init), init?.signal)
    // The answer is lost, but not its effect.
    if (broken.next > 0 && init?.method === 'POST') {
      broken.next -= 1
      throw new TypeError('fetch failed')
    }
    return response
  }
})
afterAll(() => crib.close())

/** As a real fetch leaves its server alone when it is aborted. */
function untilAborted<T>(work: T | Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('gone', 'AbortError')))
    void Promise.resolve(work).then(resolve, reject)
  })
}

const connect = () => connectCrib({ url: 'http://crib.test/', key, fetch, freshMs: 0 })

async function ask(
  options: Parameters<ReturnType<typeof connect>['toolSet']>[0],
  messages: ModelMessage[],
  ...steps: Parameters<typeof playModel>[0]
) {
  const set = await connect().toolSet(options)
  const answer = await generateText({
    model: playModel(steps),
    tools: set.tools,
    toolApproval: set.toolApproval,
    stopWhen: isStepCount(3),
    messages,
  })
  return [...messages, ...answer.responseMessages]
}

const go: ModelMessage = { role: 'user', content: 'go' }

test('the same tools are offered from elsewhere, read once while nothing changes', async () => {
  const here = await crib.toolSet()
  const remote = connect()
  const there = await remote.toolSet()
  expect(Object.keys(there.tools)).toEqual(Object.keys(here.tools))
  expect(there.tools['note_write']?.metadata).toEqual(here.tools['note_write']?.metadata)
  const again = await remote.toolSet({ sessionId: 'other' })
  expect(again.offer).toBe(there.offer)
})

test('a call goes through the crib, and a lost answer does not make it run twice', async () => {
  ran.length = 0
  broken.next = 1
  const history = await ask(
    { sessionId: 'lost' },
    [go],
    callTools(['note_write', { text: 'a' }]),
    sayText('ok'),
  )
  expect(JSON.stringify(history)).toContain('"written":"a"')
  expect(ran).toEqual(['a'])
})

test('a call that needs no approval asks nobody', async () => {
  requests.length = 0
  await ask({}, [go], callTools(['note_write', { text: 'b' }]), sayText('ok'))
  expect(requests).toEqual(['GET /api/v1/offer', 'POST /api/v1/tools/note.write/calls'])
})

test('a call that waits resumes from another connection', async () => {
  ran.length = 0
  const options = { sessionId: 'far', approverKey: key }
  const history = await ask(options, [go], callTools(['note_publish', { text: 'c' }]))
  expect(ran).toEqual([])
  const [id] = /(?<=approvalId":")[^"]+/.exec(JSON.stringify(history)) ?? ['']
  const said: ModelMessage[] = [
    ...history,
    { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: id, approved: true }] },
  ]
  const { messages, waiting } = await (await connect().toolSet(options)).resume(said)
  expect(waiting).toEqual([])
  const end = await ask(options, messages, sayText('ok'))
  await ask(options, messages, sayText('ok'))
  expect(JSON.stringify(end)).toContain('"written":"c"')
  expect(ran).toEqual(['c'])
})

test('another input under the id of an earlier call is a failure, and no refusal of anybody', async () => {
  const options = { sessionId: 'other input' }
  const step = (text: string) => callTools({ id: 'same', call: ['note_write', { text }] })
  await ask(options, [go], step('d'), sayText('ok'))
  const history = await ask(options, [go], step('e'), sayText('ok'))
  expect(history.at(-2)).toMatchObject({
    role: 'tool',
    content: [
      { output: { type: 'error-text', value: expect.stringContaining('Nothing was run') } },
    ],
  })
})

test('a call of another key is not shown, not repeated, and not reported as decided by a person', async () => {
  ran.length = 0
  const options = { sessionId: 'rotated' }
  const history = await ask(options, [go], callTools(['note_publish', { text: 'r' }]))
  const { token } = await crib.api.createKey(ownerOf(), { name: 'next', scopes: ['tools.call'] })
  const set = await connectCrib({ url: 'http://crib.test/', key: token, fetch }).toolSet(options)
  await expect(set.resume(history)).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.stringMatching(/by somebody else.*Do not make it again/s),
  })
  expect(ran).toEqual([])
})

test('partial output is streamed', async () => {
  const seen: unknown[] = []
  const result = await connect()
    .port()
    .call({ tool: 'slow.count', input: {}, onOutput: (output) => seen.push(output) })
  expect(result).toMatchObject({ status: 'completed', output: 2 })
  expect(seen).toEqual([{ partial: 1 }])
})

test('giving up cancels a call that would continue', async () => {
  const leave = new AbortController()
  const port = connect().port({ sessionId: 'left' })
  const request = { tool: 'slow.hang', input: {}, idempotencyKey: 'left', signal: leave.signal }
  const result = port.call(request)
  const firstId = async () => {
    const { items } = await crib.api.listCalls(ownerOf(), { sessionId: 'left', limit: 1 })
    return items[0]?.callId
  }
  await expect.poll(firstId).toBeDefined()
  leave.abort()
  expect((await result).error?.code).toBe('cancelled')
  const ended = await crib.api.findCall(ownerOf(), { id: (await firstId()) ?? '', wait: 60 })
  expect(ended.status).toBe('cancelled')
})

test('giving up before the crib has named the call cancels it, too', async () => {
  const leave = new AbortController()
  // The answer is still on its way when nobody waits for it any more.
  const far: typeof globalThis.fetch = async (input, init) => {
    const { signal: _, ...kept } = init ?? {}
    const answer = fetch(input, kept)
    return init?.method === 'POST' && init.signal
      ? untilAborted(new Promise(() => {}), init.signal)
      : answer
  }
  const port = connectCrib({ url: 'http://crib.test', key, fetch: far }).port({
    sessionId: 'early',
  })
  const request = { tool: 'slow.hang', input: {}, idempotencyKey: 'early', signal: leave.signal }
  const result = port.call(request)
  setTimeout(() => leave.abort(), 30)
  expect((await result).error?.code).toBe('cancelled')
  const statuses = async () => {
    const { items } = await crib.api.listCalls(ownerOf(), { sessionId: 'early', limit: 2 })
    return items.map(({ status }) => status)
  }
  await expect.poll(statuses).toEqual(['cancelled'])
})

test('a call that was given up before it was sent is not made', async () => {
  ran.length = 0
  requests.length = 0
  const call = { tool: 'note.write', input: { text: 'never' }, idempotencyKey: 'never' }
  const result = await connect()
    .port({ sessionId: 'never' })
    .call({ ...call, signal: AbortSignal.abort() })
  expect(result.error?.code).toBe('cancelled')
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect([requests, ran]).toEqual([[], []])
})

test('a wrong key and an unknown tool are reported by their codes', async () => {
  const stranger = connectCrib({ url: 'http://crib.test', key: 'crib_wrong', fetch })
  await expect(stranger.toolSet()).rejects.toMatchObject({ code: 'unauthorized' })
  expect(await connect().port().call({ tool: 'no.such', input: {} })).toMatchObject({
    status: 'failed',
    error: { code: 'tool_not_found' },
  })
})

test.each([
  ['sessionId', 'x'.repeat(201)],
  ['sessionId', ''],
  ['skill', 'a\nb'],
  ['agent', 'x'.repeat(201)],
])('a %s that no call can have is refused when the set is made', async (field, value) => {
  requests.length = 0
  const refused = { code: 'invalid_request', message: expect.stringContaining(field) }
  const words = { ...refused, fix: expect.any(String) }
  await expect(connect().toolSet({ [field]: value })).rejects.toMatchObject(words)
  expect(() => connect().port({ [field]: value })).toThrow(expect.objectContaining(words))
  expect(requests).toEqual([])
})

test('so it is for a set in this process', async () => {
  const sessionId = 'x'.repeat(201)
  const refused = { code: 'invalid_request', fix: expect.stringContaining('runId') }
  await expect(crib.toolSet({ sessionId })).rejects.toMatchObject(refused)
  expect(() => crib.port({ sessionId })).toThrow(expect.objectContaining(refused))
})

test('a caller that only lists tools is spared the schemas', async () => {
  const read = async (query: string) => {
    const response = await fetch(`http://crib.test/api/v1/offer${query}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const { items } = (await response.json()) as { items: Record<string, unknown>[] }
    return items
  }
  const whole = await read('')
  const brief = await read('?brief=true')
  expect(brief).toEqual(
    whole.map((tool) => ({ ...tool, inputSchema: {}, outputSchema: undefined })),
  )
  expect(JSON.stringify(brief).length).toBeLessThan(JSON.stringify(whole).length)
})
