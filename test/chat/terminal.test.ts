import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { defineTool, z } from '../../src/app/index.ts'
import type { Run } from '../../src/core/conversations/conversation-api.ts'
import { type LineOptions, runLine } from '../../src/doors/cli/testing/run-line.ts'
import { openChat } from './open-chat.ts'

/** Command lines against a crib and its HTTP door, with the offline model. */
let talk: Awaited<ReturnType<typeof openChat>>
const held: (() => void)[] = []
beforeAll(async () => {
  const support = { slug: 'support', model: 'demo', tools: { allow: ['*'] } }
  const other = { slug: 'other', model: 'demo', tools: { allow: ['*'] } }
  const approvals = { rules: [{ tools: ['test.big'], quorum: 2 }] }
  talk = await openChat(() => ({ text: 'unused' }), {
    agents: [support, other, { ...support, slug: 'broken', model: 'openai-compatible/none/x' }],
    tools: [
      defineTool({
        name: 'test.hold',
        description: 'Ends when it is let go.',
        effect: 'read',
        inputSchema: z.object({ n: z.number() }),
        async execute({ n }) {
          talk.done.push(['hold', n])
          await new Promise<void>((resolve) => held.push(resolve))
          return { held: n }
        },
      }),
      defineTool({
        name: 'test.big',
        description: 'Needs two people.',
        effect: 'destructive',
        approval: 'always',
        inputSchema: z.object({ n: z.number() }),
        execute: ({ n }) => ({ big: n }),
      }),
    ],
    config: { approvals },
  })
})
afterAll(() => talk.close())

const url = 'http://localhost'

function run(argv: readonly string[], options: LineOptions = {}) {
  const env = { TOOLCRIB_URL: url, TOOLCRIB_KEY: talk.token }
  const fetch = async (to: string, init?: RequestInit) => talk.app.fetch(new Request(to, init))
  return runLine(argv, { env, ...options, more: { fetch, ...options.more } })
}

const prompt = 'support> '
const question = 'Run it? [y]es, [n]o, [e]dit the input, Enter for later: '

/** Types an answer to each question as it is asked, in this order; then Ctrl-D. */
async function typing(argv: readonly string[], answers: readonly [string, string][] = []) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  const left = [...answers]
  const asked: string[] = []
  const line = await run(argv, {
    more: { stdin },
    onErr(text) {
      const found = [prompt, question, 'Why not?', 'as JSON: '].find((one) => text.includes(one))
      if (found === undefined) return
      asked.push(found)
      const next = left.shift()
      // An answer to another question than was meant would make the test pass by chance.
      if (next?.[0] === found) stdin.write(`${next[1]}\n`)
      else stdin.end()
    },
  })
  return { ...line, asked, left }
}

const pay = (n: number) => `run test.pay with n=${n}`

/** A conversation whose turn waits for a person, as it is left without a terminal. */
async function leaveWaiting(n: number): Promise<{ id: string; code: number; err: string }> {
  const { code, err } = await run(['chat', 'support', pay(n)])
  const id = /--conversation (conv_[0-9a-f]{32})/.exec(err)?.[1] ?? ''
  return { id, code, err }
}

async function newestRun(): Promise<Run> {
  const { items } = (await (await talk.ask('/runs?limit=1')).json()) as { items: Run[] }
  const [first] = items
  if (first === undefined) throw new Error('there is no run')
  return first
}

test('one message is one turn: its text on stdout, what it does on stderr', async () => {
  const line = await run(['chat', 'support', 'run test.add with n=1'])
  expect(line).toEqual({
    code: 0,
    out: 'Test add returned sum: 2.\n',
    err: '→ test_add {"n":1}\n✓ {"sum":2}\n',
  })
})

test('with --json every chunk is a line of stdout', async () => {
  const { code, out, err } = await run(['chat', 'support', 'hello', '--json'])
  const types = out
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { type: string }).type)
  expect([code, err, types[0], types.at(-1)]).toEqual([0, '', 'start', 'finish'])
})

test('approvals are asked for at the terminal, and the turn continues with the answer', async () => {
  const line = await typing(['chat', 'support', pay(11)], [[question, 'y']])
  expect([line.code, line.asked, line.out]).toEqual([
    0,
    [question],
    'Test pay returned paid: 11.\n',
  ])
  expect(line.err).toContain('test.pay waits for your word.\n  input   {"n":11}\n')
  expect(talk.done).toContainEqual(['pay', 11])
})

test('no with a reason, and another input, reach the agent', async () => {
  const no = await typing(
    ['chat', 'support', pay(12)],
    [
      [question, 'n'],
      ['Why not?', 'too much'],
    ],
  )
  expect([no.code, no.left]).toEqual([0, []])
  expect(no.out).toMatch(/Test pay failed: A person rejected the call: too much/)
  const edited = await typing(
    ['chat', 'support', pay(13)],
    [
      [question, 'e'],
      ['as JSON: ', '{"n":14}'],
    ],
  )
  expect([edited.code, edited.out]).toEqual([
    0,
    'Test pay returned paid: 14. A person changed the input of this call: it ran with the input shown now.\n',
  ])
  expect(talk.done).not.toContainEqual(['pay', 12])
  expect(talk.done).not.toContainEqual(['pay', 13])
})

test('an input that does not fit takes no other answer with it, and is asked for again', async () => {
  const both = 'run test.pay with n=15 and run test.pay with n=16'
  const line = await typing(
    ['chat', 'support'],
    [
      [prompt, both],
      [question, 'e'],
      ['as JSON: ', '{"n":"much"}'],
      [question, 'y'],
      [prompt, 'hello'],
      [question, 'y'],
    ],
  )
  expect([line.code, line.left]).toEqual([0, []])
  expect(line.err).toContain('The edited input does not match the schema of test.pay')
  expect(talk.done).toContainEqual(['pay', 16])
  expect(line.out).toMatch(
    /^Test pay returned paid: 15\.\n\nTest pay returned paid: 16\.\nI am the/,
  )
})

test('without a terminal it says what waits and the way on', async () => {
  const { id, code, err } = await leaveWaiting(20)
  expect([code, id]).toEqual([5, expect.stringMatching(/^conv_/)])
  expect(err).toMatch(/test\.pay waits for a person\. → toolcrib approve appr_[0-9a-f]{32}\n/)
})

test('going on with a conversation that waits asks first, and then for the next message', async () => {
  const { id } = await leaveWaiting(21)
  const line = await typing(
    ['chat', 'support', '--conversation', id],
    [
      [question, 'y'],
      [prompt, 'run test.add with n=5'],
    ],
  )
  expect([line.code, line.asked]).toEqual([0, [question, prompt, prompt]])
  expect(line.out).toBe('Test pay returned paid: 21.\nTest add returned sum: 6.\n')
  expect(talk.done.filter((one) => String(one) === 'pay,21')).toHaveLength(1)
  // Nothing waits any more, so nothing is asked.
  const again = await typing(['chat', 'support', '--conversation', id])
  expect([again.code, again.asked]).toEqual([0, [prompt]])
})

test('a message to a conversation that waits is sent once that is answered, else not', async () => {
  const { id } = await leaveWaiting(22)
  const argv = ['chat', 'support', 'run test.add with n=6', '--conversation', id]
  const later = await typing(argv, [[question, '']])
  expect([later.code, later.out]).toEqual([5, ''])
  expect(later.err).toContain('Your message was not sent.\n')
  const answered = await typing(argv, [[question, 'y']])
  expect([answered.code, answered.out]).toEqual([
    0,
    'Test pay returned paid: 22.\nTest add returned sum: 7.\n',
  ])
})

test('what was put off is asked again with the next message, which is not sent before', async () => {
  const { id } = await leaveWaiting(23)
  const line = await typing(
    ['chat', 'support', '--conversation', id],
    [
      [question, ''],
      [prompt, 'run test.add with n=1'],
      [question, ''],
      [prompt, 'run test.add with n=2'],
      [question, 'y'],
    ],
  )
  expect([line.code, line.asked, line.left]).toEqual([
    0,
    [question, prompt, question, prompt, question, prompt],
    [],
  ])
  expect(line.err.match(/Your message was not sent\./g)).toHaveLength(1)
  expect(line.out).toBe('Test pay returned paid: 23.\nTest add returned sum: 3.\n')
})

test('what somebody else answered meanwhile is shown before the next message', async () => {
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  let prompts = 0
  const line = await run(['chat', 'support', '--conversation', 'elsewhere'], {
    more: { stdin },
    onErr(text) {
      if (text.includes(question)) stdin.write('\n')
      if (!text.includes(prompt)) return
      if (++prompts === 1) stdin.write(`${pay(29)}\n`)
      else if (prompts === 2)
        void decideElsewhere().then(() => stdin.write('run test.add with n=3\n'))
      else stdin.end()
    },
  })
  expect([line.code, line.out]).toEqual([
    0,
    'Test pay returned paid: 29.\nTest add returned sum: 4.\n',
  ])
})

async function decideElsewhere(): Promise<void> {
  const { id } = await newestRun()
  const { waiting } = (await (await talk.ask(`/runs/${id}`)).json()) as Run
  const way = `/approvals/${waiting?.[0]?.id}/decision`
  expect((await talk.ask(way, { decision: 'approve' })).status).toBe(200)
  await vi.waitFor(async () => {
    expect(((await (await talk.ask(`/runs/${id}`)).json()) as Run).status).toBe('completed')
  })
}

test('a turn that is under way is read along', async () => {
  const before = run(['chat', 'support', 'run test.hold with n=1', '--conversation', 'shared'])
  await vi.waitFor(() => expect(talk.done).toContainEqual(['hold', 1]), 30_000)
  const { conversationId } = await newestRun()
  const along = typing(['chat', 'support', '--conversation', conversationId])
  // Long enough for the second to be told of the call.
  await vi.waitFor(() => expect(held).toHaveLength(1), 30_000)
  setTimeout(() => held.shift()?.(), 300)
  const [first, second] = await Promise.all([before, along])
  expect([first.code, first.out]).toEqual([0, 'Test hold returned held: 1.\n'])
  expect([second.code, second.out, second.asked]).toEqual([0, first.out, [prompt]])
  expect(second.err).toContain('→ test_hold {"n":1}')
})

test('a line that is typed during a turn is the next message, and never an answer to a question', async () => {
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  let prompts = 0
  let questions = 0
  const line = await run(['chat', 'support'], {
    more: { stdin },
    onErr(text) {
      if (text.includes('→ test_hold')) {
        stdin.write(`${pay(30)}\ny\n`)
        setTimeout(() => held.shift()?.(), 300)
      }
      if (text.includes(question) && ++questions === 1) setTimeout(() => stdin.write('n\n'), 100)
      if (text.includes('Why not?')) stdin.write('\n')
      if (text.includes(prompt) && ++prompts === 1) stdin.write('run test.hold with n=2\n')
      else if (prompts === 4) stdin.end()
    },
  })
  expect([line.code, questions, prompts]).toEqual([0, 1, 4])
  expect(line.err).toContain(`${prompt}${pay(30)}\n`)
  expect(talk.done).not.toContainEqual(['pay', 30])
})

test('where two people are needed, the one who answered is not asked again', async () => {
  const line = await typing(['chat', 'support', 'run test.big with n=1'], [[question, 'y']])
  expect([line.code, line.asked]).toEqual([5, [question]])
  expect(line.err).toMatch(/test\.big waits for another person\. → toolcrib approve appr_/)
})

test('one message that is refused fails', async () => {
  const { id } = await leaveWaiting(24)
  const { code, out, err } = await run(['chat', 'support', 'hello', '--conversation', id])
  expect([code, out]).toEqual([6, ''])
  expect(err).toMatch(/^✗ The agent waits for an answer to appr_/)
})

test('a conversation that is not there, or is with another agent, ends the chat before a prompt', async () => {
  const nowhere = `conv_${'0'.repeat(32)}`
  const gone = await typing(['chat', 'support', '--conversation', nowhere])
  expect([gone.code, gone.asked]).toEqual([4, []])
  const { id } = await leaveWaiting(25)
  const wrong = await typing(['chat', 'other', '--conversation', id])
  expect([wrong.code, wrong.asked]).toEqual([2, []])
  expect(wrong.err).toContain(`→ Run: toolcrib chat support --conversation ${id}\n`)
})

test('a conversation may have a name of its own', async () => {
  const argv = ['chat', 'support', '--conversation', 'mine']
  const first = await typing(argv, [
    [prompt, pay(26)],
    [question, 'y'],
  ])
  expect([first.code, first.out]).toEqual([0, 'Test pay returned paid: 26.\n'])
})

test('the history is read without a terminal', async () => {
  const { id } = await leaveWaiting(27)
  const argv = ['chat', 'support', '--conversation', id, '--history']
  expect(await run(argv)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^> run test\.pay with n=27\n/),
    err: '',
  })
  const { out } = await run([...argv, '--json'])
  const roles = out
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { role: string }).role)
  expect(roles).toEqual(['user', 'assistant'])
  // Without it, and without a word on stdin, there is nothing to do for nobody.
  expect((await run(argv.slice(0, -1))).code).toBe(2)
  expect((await run(['chat', 'support'])).code).toBe(2)
})

test('a message comes on stdin as well', async () => {
  for (const words of [
    ['chat', 'support'],
    ['chat', 'support', '-'],
  ]) {
    const { code, out } = await run(words, { stdin: 'run test.add with n=41\n' })
    expect([code, out]).toEqual([0, 'Test add returned sum: 42.\n'])
  }
})

test('a failure is shown with its fix', async () => {
  const line = await run(['chat', 'broken', 'hello'])
  expect([line.code, line.err]).toEqual([1, expect.stringMatching(/none[^]*\n→ /)])
})

test('runs are started, listed by agent, shown and stopped', async () => {
  const started = await run(['runs', 'start', 'other', 'run test.add with n=8', '--wait', '30'])
  expect([started.code, started.out]).toEqual([
    0,
    expect.stringMatching(
      /^turn_\S+ completed after 2 steps, \S+ tokens in, \S+ out\nTest add returned sum: 9\.\n$/,
    ),
  ])
  await run(['runs', 'start', 'other', pay(28)])
  const { id, conversationId } = await vi.waitFor(async () => {
    const newest = await newestRun()
    expect(newest.status).toBe('waiting')
    return newest
  })
  const waits = await run(['runs', 'show', id])
  expect([waits.code, waits.err]).toEqual([
    5,
    expect.stringMatching(/^test\.pay waits for approval\. → toolcrib approve appr_/),
  ])
  const { code, out } = await run(['runs', '--agent', 'other'], { columns: 300 })
  const rows = out.trimEnd().split('\n')
  expect([code, rows]).toEqual([
    0,
    [
      expect.stringMatching(/^run +agent +status +steps +tokens +conversation$/),
      expect.stringMatching(new RegExp(`^${id} +other +waiting +1 +[0-9]+ +${conversationId}$`)),
      expect.stringMatching(/^turn_\S+ +other +completed +2 +[0-9]+ +conv_/),
    ],
  ])
  const stopped = await run(['runs', 'cancel', id])
  expect([stopped.code, stopped.out]).toEqual([
    5,
    expect.stringMatching(new RegExp(`^${id} cancelled after 1 step, .* tokens in, .* out\\n$`)),
  ])
  const late = await run(['runs', 'cancel', id])
  expect([late.code, late.out]).toEqual([1, ''])
  expect((await run(['runs', 'show', id])).out).toBe(stopped.out)
  expect((await run(['runs', id])).out).toBe(stopped.out)
  expect((await run(['runs', 'cancel', 'turn_none'])).code).toBe(4)
  expect((await run(['runs', 'cancel'])).code).toBe(2)
  const none = await run(['runs', '--agent', 'nobody', '--json'])
  expect([none.code, none.out]).toEqual([0, '{"items":[]}\n'])
})
