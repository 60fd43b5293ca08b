import { PassThrough } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Approval } from '../../../core/approvals/approval.ts'
import type { Screen } from '../output/screen.ts'
import { createFakeApi, json, problem, sse } from '../testing/fake-api.ts'
import { runLine } from '../testing/run-line.ts'
import { askApprovals } from './ask-approvals.ts'
import { createTurnScreen, type ShownChunk } from './show-turn.ts'

/** A screen that keeps what was written, in order, with where it went. */
function createKeptScreen(): { screen: Screen; kept: string[] } {
  const kept: string[] = []
  const put = (where: string) => (text: string | Uint8Array) =>
    void kept.push(`${where} ${String(text)}`)
  const screen: Screen = {
    isJson: false,
    width: 80,
    isErrTty: false,
    closed: new AbortController().signal,
    style: (_format, text) => text,
    errStyle: (_format, text) => text,
    out: put('out'),
    err: put('err'),
    draw: put('draw'),
    write: put('write'),
    json: (value) => put('json')(JSON.stringify(value)),
    drained: () => Promise.resolve(),
  }
  return { screen, kept }
}

function shown(...chunks: ShownChunk[]): string[] {
  const { screen, kept } = createKeptScreen()
  const show = createTurnScreen(screen)
  for (const chunk of chunks) show(chunk)
  return kept
}

const call = { type: 'tool-input-available', toolCallId: 't1', toolName: 'web_search', input: {} }

test('tools run by the provider are marked, those run by Toolcrib are not', () => {
  expect(shown({ ...call, providerExecuted: true })).toEqual([
    'err → web_search {} (run by the provider)',
  ])
  expect(shown(call, { ...call, providerExecuted: false })).toEqual([
    'err → web_search {}',
    'err → web_search {}',
  ])
})

test('an answer that restarts shows a note', () => {
  const text = { type: 'text-delta', delta: 'one' }
  expect(shown(text, { type: 'reset-step' }, text)).toEqual([
    'write one',
    'write \n',
    'err … The answer begins again.',
    'write one',
  ])
})

test('text goes to stdout and ends its line before any other output', () => {
  const text = { type: 'text-delta', delta: 'one' }
  expect(shown(text, { ...text, delta: ' two' }, call, text, { type: 'finish' })).toEqual([
    'write one',
    'write  two',
    'write \n',
    'err → web_search {}',
    'write one',
    'write \n',
  ])
})

test('the last output is shown, long ones are cut, and refusals are shown', () => {
  const output = { type: 'tool-output-available', output: { n: 1 } }
  expect(shown({ ...output, preliminary: true }, output)).toEqual(['err ✓ {"n":1}'])
  expect(shown({ ...output, output: 'x'.repeat(300) })).toEqual([`err ✓ ${'x'.repeat(200)}…`])
  expect(
    shown(
      { type: 'tool-output-error', errorText: 'a\u001b[31mb\nc' },
      { type: 'tool-output-denied' },
      { type: 'error', errorText: 'broken' },
    ),
  ).toEqual(['err ✗ ab ⏎ c', 'err ✗ it was rejected', 'err broken'])
})

function approvalOf(id: string): Approval {
  return {
    id,
    tenant: 'default',
    callId: 'call_1',
    tool: 'billing.refund',
    input: { n: 1 },
    revision: 0,
    reasons: ['it always needs approval'],
    requestedBy: { principal: { kind: 'user', id: 'owner' } },
    status: 'pending',
    createdAt: '2026-11-01T00:00:00.000Z',
    expiresAt: '2026-11-02T00:00:00.000Z',
    needed: 1,
    isRequesterBarred: false,
    decisions: [],
  }
}

async function answer(ids: readonly string[], lines: readonly (string | undefined)[]) {
  const { screen, kept } = createKeptScreen()
  const left = [...lines]
  const answers = await askApprovals(ids.map(approvalOf), {
    screen,
    agent: 'support',
    ask: async () => left.shift(),
  })
  return { answers, kept, left }
}

test('a call requested by another agent names that agent', async () => {
  const { screen, kept } = createKeptScreen()
  const approval = approvalOf('appr_1')
  const requestedBy = { ...approval.requestedBy, agent: 'research' }
  const ask = async () => ''
  await askApprovals([{ ...approval, requestedBy }], { screen, agent: 'support', ask })
  expect(kept).toContain('err   asked by research')
})

test.each([
  ['y', { approved: true }],
  [' YES ', { approved: true }],
  ['n|', { approved: false }],
  ['no|too much', { approved: false, reason: 'too much' }],
  ['e|{"n":2}', { approved: true, input: { n: 2 } }],
  // Text that is not JSON is not valid input, so the question is repeated.
  ['e|{n|y', { approved: true }],
  // Neither yes nor no is not taken for one.
  ['yep|nope|y', { approved: true }],
])('an approval is answered by %j', async (typed, expected) => {
  const { answers, left } = await answer(['appr_1'], typed.split('|'))
  expect([answers, left]).toEqual([[{ id: 'appr_1', ...expected }], []])
})

test('each that waits is shown with why; Enter, or nobody there, leaves the rest open', async () => {
  const { answers, kept } = await answer(['appr_1', 'appr_2', 'appr_3'], ['y', ''])
  expect(answers).toEqual([{ id: 'appr_1', approved: true }])
  const one = [
    'err ',
    'err billing.refund waits for your word.',
    'err   input   {"n":1}',
    'err   because it always needs approval',
  ]
  expect(kept).toEqual([...one, ...one])
  expect((await answer(['appr_1'], [undefined])).answers).toEqual([])
})

const chunk = (value: ShownChunk) => `data: ${JSON.stringify(value)}\n\n`
const begun = chunk({
  type: 'start',
  messageMetadata: { turnId: 'turn_1', conversationId: 'conv_1' },
})
const ended = (status: string) => chunk({ type: 'finish', messageMetadata: { status } })

const run = (status: string) => ({
  id: 'turn_1',
  status,
  usage: { modelCalls: 1, inputTokens: 1200, outputTokens: 3, cachedTokens: 0, cost: 0.5 },
})

const chatAgent = { slug: 'support', model: 'demo' }
const known = { 'GET /chat/agents': () => json({ items: [chatAgent] }) }

test('an unknown agent, or one that cannot answer, is reported before anything is typed', async () => {
  const problem = { code: 'secret_missing', message: 'No key', retryable: false, fix: 'Set it.' }
  const api = createFakeApi({
    'GET /chat/agents': () => json({ items: [{ ...chatAgent, problem }] }),
  })
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  const nobody = await runLine(['chat', 'nope'], { ...api, more: { stdin } })
  expect(nobody.err).toContain('There is no agent nope to chat with')
  expect(nobody.err).not.toContain('nope> ')
  const mute = await runLine(['chat', 'support'], {
    ...api,
    more: { stdin: Object.assign(new PassThrough(), { isTTY: true }).end() },
  })
  expect(mute.err).toContain('✗ No key\n→ Set it.\n')
})

test.each([
  [429, 'rate_limited', 6],
  [403, 'forbidden', 3],
  [500, 'model_failed', 1],
])('an answer of %i ends no chat', async (status, code, exitCode) => {
  let count = 0
  const api = createFakeApi({
    ...known,
    'POST /agents/support/chat': () =>
      ++count === 1
        ? sse([begun, chunk({ type: 'text-delta', delta: 'Hello.' }), ended('completed')])
        : problem({ status, code, detail: 'Not now', fix: 'Try later.' }),
    'GET /runs/turn_1': () => json(run('completed')),
    'GET /conversations/conv_1': () =>
      json({ id: 'conv_1', agent: 'support', status: 'completed', items: [], waiting: [] }),
  })
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  let prompts = 0
  const line = await runLine(['chat', 'support'], {
    ...api,
    more: { stdin },
    onErr(text) {
      if (!text.includes('support> ')) return
      if (++prompts <= 3) stdin.write('hello\n')
      else stdin.end()
    },
  })
  expect([line.code, line.out, prompts]).toEqual([exitCode, 'Hello.\n', 4])
  expect(line.err).toContain('1,200 tokens in, 3 out · 0.5 units\n')
  expect(line.err.match(/✗ Not now\n→ Try later\.\n/g)).toHaveLength(2)
  expect(api.seen.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([
    { message: 'hello' },
    { message: 'hello', id: 'conv_1' },
    { message: 'hello', id: 'conv_1' },
  ])
})

test('a cut line shows how to continue', async () => {
  const half = chunk({ type: 'text-delta', delta: 'Half an' })
  // Otherwise the words go down with the connection.
  const cut = async () => {
    await setTimeout(50)
    throw new Error('other side closed')
  }
  const api = createFakeApi({ 'POST /agents/support/chat': () => sse([begun, half], cut()) })
  const line = await runLine(['chat', 'support', 'hello'], api)
  expect([line.code, line.out]).toEqual([6, 'Half an\n'])
  expect(line.err).toContain('The agent goes on. → toolcrib chat support --conversation conv_1\n')
})

test('an error without a code is a bug, and ends the chat', async () => {
  const api = createFakeApi({ ...known, 'POST /agents/support/chat': () => sse(['data: {\n\n']) })
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  const line = await runLine(['chat', 'support'], {
    ...api,
    more: { stdin },
    onErr: (text) => void (text.includes('support> ') && stdin.write('hello\n')),
  })
  expect([line.code, line.err]).toEqual([1, expect.stringContaining('This is a bug in Toolcrib')])
})

test('Ctrl-C at the terminal stops the turn, and at the prompt ends the chat', async () => {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<string[]>()
  const working = chunk({ ...call, toolName: 'slow_work' })
  const api = createFakeApi({
    ...known,
    'POST /agents/support/chat': () => sse([begun, working], stopped),
    'GET /runs/turn_1': () => json(run('cancelled')),
    'POST /runs/turn_1/cancel': () => {
      stop([ended('cancelled')])
      return json({})
    },
  })
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  let prompts = 0
  const line = await runLine(['chat', 'support', '--no-color'], {
    ...api,
    isTty: true,
    more: { stdin },
    onErr(text) {
      // A terminal draws its prompt again with every key.
      if (text === 'support> ') stdin.write(++prompts === 1 ? 'work\r' : '\u0003')
      if (text.includes('→ slow_work')) stdin.write('\u0003')
    },
  })
  expect([line.code, prompts]).toEqual([5, 2])
  expect(api.last('/runs/turn_1/cancel')?.method).toBe('POST')
  expect(line.err).toContain('Stopped.\n')
})
