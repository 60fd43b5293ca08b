import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  type Answer,
  callId,
  callStream,
  createFakeApi,
  eventOf,
  type FakeApi,
  frame,
  json,
  problem,
  sse,
  toolOf,
} from '../../testing/fake-api.ts'
import { runLine } from '../../testing/run-line.ts'

const calls = '/tools/calc.add/calls'
const done = { callId, status: 'completed' as const, output: { sum: 3 } }

function apiWith(answer: Answer, more: Readonly<Record<string, Answer>> = {}): FakeApi {
  return createFakeApi({
    'GET /tools/calc.add': () => json(toolOf()),
    'GET /tools': () => json({ items: [toolOf(), toolOf({ name: 'calc.sub' })] }),
    [`POST ${calls}`]: answer,
    ...more,
  })
}

test('flags become the input, and the output is for people', async () => {
  const api = apiWith(() => callStream(done))
  expect(await runLine(['call', 'calc.add', '--a', '1', '--b', '2'], api)).toEqual({
    code: 0,
    out: 'Sum  3\n',
    err: '',
  })
  expect(api.last(calls)).toMatchObject({
    body: { input: { a: 1, b: 2 } },
    headers: { accept: 'text/event-stream, application/json' },
  })
})

test('with --json stdout holds the result alone', async () => {
  const api = apiWith(() =>
    callStream(done, [{ progress: { done: 1, total: 2 } }, { partial: 'x' }]),
  )
  const line = await runLine(['call', '--json', 'calc.add', '--a=1'], { ...api, isTty: true })
  expect(line).toEqual({ code: 0, out: `${JSON.stringify(done)}\n`, err: '' })
})

test('everything that a call takes is sent', async () => {
  const api = apiWith(() => callStream(done))
  const argv = [
    'call',
    'calc.add',
    '--agent',
    'support',
    '--session',
    's1',
    '--timeout',
    '1.5s',
    '--idempotency-key',
    'k1',
  ]
  await runLine([...argv, '--input', '{"a":1,"b":9}', '--b', '2'], api)
  expect(api.last(calls)?.body).toEqual({
    input: { a: 1, b: 2 },
    agent: 'support',
    sessionId: 's1',
    timeoutMs: 1500,
  })
  expect(api.last(calls)?.headers['idempotency-key']).toBe('k1')
})

test.each([
  ['calc.add', '--agent', 'support', '--agent', 'billing'],
  ['--agent', 'support', '--agent', 'billing', 'calc.add'],
  ['--agent', 'support', 'calc.add', '--agent', 'billing'],
])('an option with two values is refused, in any position: %s %s %s %s %s', async (...words) => {
  const api = apiWith(() => callStream(done))
  expect(await runLine(['call', ...words], api)).toEqual({
    code: 2,
    out: '',
    err: '✗ --agent was given twice.\n→ It takes one value: remove the others.\n',
  })
  expect(api.last(calls)).toBeUndefined()
})

test('the input comes from stdin and from a file', async () => {
  const api = apiWith(() => callStream(done))
  await runLine(['call', 'calc.add', '--input', '-'], { ...api, stdin: '{"a":5}' })
  expect(api.last(calls)?.body).toEqual({ input: { a: 5 } })
  const cwd = await mkdtemp(join(tmpdir(), 'crib-'))
  onTestFinished(() => rm(cwd, { recursive: true }))
  await writeFile(join(cwd, 'in.json'), '\uFEFF{"a":6}')
  await runLine(['call', 'calc.add', '--input', '@in.json'], { ...api, cwd })
  expect(api.last(calls)?.body).toEqual({ input: { a: 6 } })
  expect((await runLine(['call', 'calc.add', '--input', '@no.json'], { ...api, cwd })).code).toBe(2)
  expect((await runLine(['call', 'calc.add', '--input', '{oops'], { ...api, cwd })).code).toBe(2)
})

test('progress and partial output go to stderr; on a terminal the line is drawn again', async () => {
  const outputs = [
    { progress: { done: 1, total: 4, message: 'one\u001b[2J' } },
    { partial: 'Hel' },
    { partial: 'Hello' },
    { progress: { text: ' there' } },
    { progress: { done: 4, total: 4 } },
  ]
  const api = apiWith(() => callStream({ ...done, output: 'Hello' }, outputs))
  const argv = ['call', 'calc.add', '--a', '1']
  expect(await runLine(argv, api)).toEqual({ code: 0, out: 'Hello\n', err: 'Hello there\n' })
  const env = { NO_COLOR: '1' }
  expect(await runLine(argv, { ...api, isTty: true, columns: 60, env })).toEqual({
    code: 0,
    out: 'Hello\n',
    err: '[██████                  ]  25 % one\r\u001b[KHello there\n[████████████████████████] 100 %\r\u001b[K',
  })
})

test.each([
  [
    { code: 'timeout', message: 'Took too long', retryable: true },
    5,
    'timeout: Took too long\n→ Trying again may help.',
  ],
  [
    { code: 'tool_failed', message: 'No', retryable: false, fix: 'Do it.' },
    1,
    'tool_failed: No\n→ Do it.',
  ],
  [
    { code: 'secret_missing', message: 'No key', retryable: false },
    7,
    'secret_missing: No key\n→ toolcrib events shows what happened.',
  ],
] as const)('a call that ended with %j has its exit code', async (error, code, shown) => {
  const result = { callId, status: 'failed' as const, error }
  const api = apiWith(() => callStream(result))
  expect(await runLine(['call', 'calc.add', '--a', '1'], api)).toEqual({
    code,
    out: '',
    err: `✗ ${shown}\n`,
  })
  const asJson = await runLine(['call', 'calc.add', '--a', '1', '--json'], api)
  expect(asJson).toEqual({ code, out: `${JSON.stringify(result)}\n`, err: '' })
})

test('a denied call is a result; a refused request is an error with stdout empty', async () => {
  const denied = apiWith(() =>
    problem({ status: 403, code: 'denied', detail: 'Not you', retryable: false, callId }),
  )
  expect(await runLine(['call', 'calc.add', '--a', '1', '--json'], denied)).toEqual({
    code: 3,
    out: `${JSON.stringify({ callId, status: 'denied', error: { code: 'denied', message: 'Not you', retryable: false } })}\n`,
    err: '',
  })
  const issues = [{ path: '/a', message: 'must be a number' }]
  const refused = apiWith(() =>
    problem({ status: 422, code: 'invalid_input', detail: 'It does not fit', issues }),
  )
  const line = await runLine(['call', 'calc.add', '--json'], refused)
  expect({ ...line, err: JSON.parse(line.err) }).toEqual({
    code: 2,
    out: '',
    err: {
      error: {
        code: 'invalid_input',
        message: 'It does not fit',
        retryable: false,
        issues,
        fix: 'See toolcrib call calc.add --help for its input.',
      },
    },
  })
})

test('an unknown tool is answered with the nearest names', async () => {
  const api = apiWith(() => callStream(done), {
    'GET /tools/calc.ad': () =>
      problem({ status: 404, code: 'tool_not_found', detail: 'There is no such tool' }),
  })
  expect(await runLine(['call', 'calc.ad'], api)).toEqual({
    code: 4,
    out: '',
    err:
      '✗ There is no such tool\n' +
      '→ Did you mean calc.add? See toolcrib tools, or toolcrib explain --tool calc.ad for who sees it.\n',
  })
})

test("help shows the tool's own flags", async () => {
  const { code, out } = await runLine(
    ['call', 'calc.add', '--help'],
    apiWith(() => callStream(done)),
  )
  expect(code).toBe(0)
  expect(out).toContain('calc.add: Add numbers (read)')
  expect(out).toContain('  --a  First (number, needed)')
  expect(out).toContain('  --b  Second (number, default 1)')
  expect(out).toContain('  toolcrib call calc.add --a 1 --b 2')
})

test('Ctrl-C cancels the call and waits for its end', async () => {
  let interrupt = () => {}
  const ended = Promise.withResolvers<string[]>()
  const cancelled = {
    callId,
    status: 'cancelled' as const,
    error: { code: 'cancelled' as const, message: 'Cancelled', retryable: false },
  }
  const api = apiWith(
    () => {
      setTimeout(() => interrupt(), 20)
      return sse([frame('call', { callId })], ended.promise)
    },
    {
      [`POST /calls/${callId}/cancel`]: () => {
        ended.resolve([frame('result', cancelled)])
        return json(cancelled)
      },
    },
  )
  const line = await runLine(['call', 'calc.add', '--a', '1'], {
    ...api,
    onStart: (signal) => (interrupt = signal),
  })
  expect(line).toEqual({
    code: 5,
    out: '',
    err: 'Cancelling the call; Ctrl-C again leaves immediately.\n✗ Cancelled\n→ toolcrib events shows what happened.\n',
  })
})

test('a lost connection does not lose the call: its record is followed', async () => {
  const states = ['running', 'completed']
  const api = apiWith(() => sse([frame('call', { callId })]), {
    [`GET /calls/${callId}`]: () => json({ ...done, tool: 'calc.add', status: states.shift() }),
    'GET /events': () =>
      sse([
        frame('call.output', eventOf('1', { type: 'call.output', data: { partial: 'half' } }), '1'),
      ]),
  })
  expect(await runLine(['call', 'calc.add', '--a', '1'], api)).toEqual({
    code: 0,
    out: 'Sum  3\n',
    err: 'The connection was lost; following the stored call.\nhalf\n',
  })
})

test('--async prints the id alone and needs a server that stays', async () => {
  const api = apiWith(() => json({ callId, status: 'queued' }, 202))
  const env = { TOOLCRIB_URL: 'http://crib.example', TOOLCRIB_KEY: 'k' }
  const line = await runLine(['call', 'calc.add', '--a', '1', '--async'], {
    env,
    more: { fetch: api.fetch },
  })
  expect(line).toEqual({
    code: 0,
    out: `${callId}\n`,
    err: `${callId} is queued.\n→ toolcrib call --watch ${callId} follows it to its end.\n`,
  })
  expect(api.last(calls)?.headers).toMatchObject({
    prefer: 'respond-async',
    accept: 'application/json',
  })
  expect((await runLine(['call', 'calc.add', '--async'], api)).code).toBe(2)
})

test('--watch follows a call by its id; --full prints all of an output that was cut', async () => {
  const artifact = { id: 'art_1', bytes: 6, mediaType: 'text/plain' }
  const pages: Record<string, unknown> = { 0: { text: 'abc', next: 3 }, 3: { text: 'déf' } }
  const api = apiWith(() => callStream(done), {
    [`GET /calls/${callId}`]: () => json({ ...done, tool: 'calc.add', output: 'abc…', artifact }),
    [`GET /calls/${callId}/artifact`]: ({ query }) => json(pages[query['offset'] ?? '']),
  })
  expect(await runLine(['call', '--watch', callId], api)).toEqual({
    code: 0,
    out: 'abc…\n',
    err: `! The output was cut: it has 6 bytes.\n→ toolcrib call --watch ${callId} --full prints all of it.\n`,
  })
  expect(await runLine(['call', '--watch', callId, '--full'], api)).toEqual({
    code: 0,
    out: 'abcdéf',
    err: '',
  })
})

test('an output that is a file is called one, and --full gives its bytes as they are', async () => {
  const artifact = { id: 'art_1', bytes: 4, mediaType: 'image/png' }
  const bytes = Uint8Array.of(0x89, 0x50, 0xff, 0x00)
  const api = apiWith(() => callStream(done), {
    [`GET /calls/${callId}`]: () =>
      json({ ...done, tool: 'calc.add', output: { artifact }, artifact }),
    [`GET /calls/${callId}/artifact`]: () => new Response(bytes),
  })
  expect((await runLine(['call', '--watch', callId], api)).err).toBe(
    `The output is a file: image/png, 4 bytes.\n→ toolcrib call --watch ${callId} --full > FILE saves it.\n`,
  )
  expect(await runLine(['call', '--watch', callId, '--full'], api)).toEqual({
    code: 0,
    out: new TextDecoder().decode(bytes),
    err: '',
  })
  const onTerminal = await runLine(['call', '--watch', callId, '--full'], { ...api, isTty: true })
  expect(onTerminal).toMatchObject({ code: 2, out: '' })
})

test("--url after the tool's name is the tool's when it has such a field, and no key goes there", async () => {
  const fetcher = toolOf({
    name: 'web.fetch',
    inputSchema: { type: 'object', properties: { url: { type: 'string' } } },
  })
  const local = createFakeApi({
    'GET /tools/web.fetch': () => json(fetcher),
    'POST /tools/web.fetch/calls': () => callStream(done),
  })
  const outside = createFakeApi({})
  const env = { TOOLCRIB_KEY: 'crib_secret' }
  await runLine(['call', 'web.fetch', '--url', 'http://evil.example/'], {
    ...local,
    env,
    more: { fetch: outside.fetch },
  })
  expect(local.last('/tools/web.fetch/calls')?.body).toEqual({
    input: { url: 'http://evil.example/' },
  })
  expect(outside.seen).toEqual([])
})

test("connection options are understood after the tool's name where only they can be meant", async () => {
  const data = await mkdtemp(join(tmpdir(), 'crib-'))
  onTestFinished(() => rm(data, { recursive: true }))
  const api = apiWith(() => callStream(done))
  let seen: unknown
  const openLocal = (options: { data: string }) => {
    seen = options.data
    return Promise.resolve({
      fetch: api.fetch,
      url: 'http://x',
      key: 'k',
      close: () => Promise.resolve(),
    })
  }
  expect(
    (await runLine(['call', 'calc.add', '--a', '1', '--data', data], { more: { openLocal } })).code,
  ).toBe(0)
  expect(seen).toBe(data)
  expect(
    await runLine(['call', 'calc.add', '--data', '/not/there'], { more: { openLocal } }),
  ).toEqual({
    code: 2,
    out: '',
    err: "✗ --data /not/there cannot be used here: there is no such folder.\n→ If it is correct, write it before the tool's name: toolcrib call --data … calc.add\n",
  })
})

test('a tool that is not ready shows why', async () => {
  const api = createFakeApi({
    'GET /tools/calc.add': () =>
      json(toolOf({ state: 'misconfigured', reason: 'secret k is not set' })),
    [`POST ${calls}`]: () =>
      problem({ status: 404, code: 'tool_not_found', detail: 'No such tool' }),
  })
  expect(await runLine(['call', 'calc.add', '--a', '1'], api)).toEqual({
    code: 4,
    out: '',
    err:
      '✗ calc.add is misconfigured: secret k is not set\n' +
      '→ toolcrib explain --tool calc.add shows what would change it.\n',
  })
})

test('of partial objects the text that grows is shown, others only at a glance', async () => {
  const start = 'A text that is long enough to be read along'
  const outputs = [
    { partial: { step: 1 } },
    { partial: { text: start } },
    { partial: { text: `${start}, and on` } },
  ]
  const api = apiWith(() => callStream({ ...done, output: 'x' }, outputs))
  const { err } = await runLine(['call', 'calc.add', '--a', '1'], api)
  expect(err).toBe(`${start}, and on\n`)
})
