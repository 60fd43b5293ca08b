import { expect, test } from 'vitest'
import { createFakeApi, eventOf, frame, json, problem, sse, toolOf } from '../testing/fake-api.ts'
import { runLine } from '../testing/run-line.ts'
import { widthOf } from '../output/text-width.ts'

const long = toolOf({
  name: 'billing.refund-an-invoice-in-full',
  pack: 'billing',
  effect: 'destructive',
  state: 'misconfigured',
  title: 'Give back the whole amount of an invoice to the customer',
  reason: 'secret stripe_key is not set',
})

const secret = {
  key: 'stripe_key',
  label: 'Stripe key',
  optional: false,
  type: 'text' as const,
  choices: [],
  sensitive: true,
}

test('tools are one table, by pack, that fits the terminal', async () => {
  const pages: Record<string, unknown> = {
    '': { items: [toolOf()], next: 'calc.add' },
    'calc.add': { items: [toolOf({ name: 'calc.sub', title: 'Sub\u001b[31mtract' }), long] },
  }
  const api = createFakeApi({ 'GET /tools': ({ query }) => json(pages[query['after'] ?? '']) })
  const wide = await runLine(['tools', '--q', 'x', '--agent', 'support'], api)
  expect(wide.out.split('\n')).toEqual([
    '  name                               effect       state          title',
    'billing',
    '  billing.refund-an-invoice-in-full  destructive  misconfigured  Give back the whole amount of an invoice to the customer (secret stripe_key is not set)',
    'calc',
    '  calc.add                           read         ready          Add numbers',
    '  calc.sub                           read         ready          Subtract',
    '',
    '3 tools. toolcrib tools <name> shows one.',
    '',
  ])
  expect(api.seen[0]?.query).toEqual({ q: 'x', agent: 'support', limit: '1000' })
  for (const columns of [68, 80, 100]) {
    const { out } = await runLine(['tools'], {
      ...api,
      isTty: true,
      columns,
      env: { NO_COLOR: '1' },
    })
    expect(Math.max(...out.split('\n').map(widthOf))).toBeLessThanOrEqual(columns)
  }
})

test('one tool is shown with what it takes, needs and lacks', async () => {
  const tool = { ...long, secrets: [secret], env: ['STRIPE_URL'], warnings: ['odd'] }
  const portability = [
    {
      provider: 'openai' as const,
      severity: 'error' as const,
      path: '/properties/a',
      message: 'no oneOf',
    },
  ]
  const api = createFakeApi({ [`GET /tools/${tool.name}`]: () => json({ ...tool, portability }) })
  const { code, out } = await runLine(['tools', tool.name], api)
  expect(code).toBe(0)
  expect(out.split('\n')).toEqual([
    'billing.refund-an-invoice-in-full  Give back the whole amount of an invoice to the customer',
    'destructive · idempotent · code in pack billing · at most 30 s',
    'state misconfigured',
    '→ secret stripe_key is not set',
    '',
    'Description',
    '  Adds two numbers.',
    '',
    'Input',
    '  field  type    needed  description',
    '  a      number  yes     First',
    '  b      number  no      Second (default 1)',
    '',
    'Examples',
    '  # One and two',
    '  toolcrib call billing.refund-an-invoice-in-full --a 1 --b 2',
    '',
    'Needs',
    '  stripe_key (secret): Stripe key. toolcrib secrets set stripe_key',
    '  STRIPE_URL (environment variable)',
    '',
    'Portability',
    '  openai error /properties/a: no oneOf',
    '',
    'Warnings',
    '  odd',
    '',
  ])
})

test('events are one line each, with the cursor to read on', async () => {
  const first = eventOf('e1', {
    type: 'call.failed',
    callId: 'call_0123456789abcdef',
    agent: 'support',
    data: { error: { code: 'timeout', message: 'late\u001b]0;x\u0007\nline' } },
  })
  const api = createFakeApi({
    'GET /events': () => json({ items: [first], next: 'e1', hasMore: true }),
  })
  const { code, out, err } = await runLine(
    ['events', '--limit', '1', '--call', 'c', '--types', 'call.failed'],
    api,
  )
  expect(code).toBe(0)
  expect(out.replace(/^\S+/, 'TIME')).toBe(
    'TIME call.failed      …89abcdef key:key_1 as support timeout late ⏎ line\n',
  )
  expect(err).toBe('→ There is more: toolcrib events --after e1\n')
  expect(api.last('/events')?.query).toEqual({ callId: 'c', types: 'call.failed', limit: '1' })
  const asJson = await runLine(['events', '--limit', '1', '--json'], api)
  expect(asJson).toEqual({ code: 0, out: `${JSON.stringify(first)}\n`, err: '' })
})

test('following starts at the end, and resumes after a lost connection', async () => {
  const streams = [
    () => sse([': hi\n\n', frame('call.started', eventOf('e5'), 'e5')]),
    () => problem({ status: 503, code: 'shutting_down', detail: 'Later' }),
    () => sse([frame('call.completed', eventOf('e6'), 'e6')]),
  ]
  const api = createFakeApi({
    'GET /events': ({ headers, query }) => {
      if (headers['accept'] === 'text/event-stream') return streams.shift()?.() ?? sse([])
      return json({ items: [], next: query['after'] === 'now' ? 'e4' : '?', hasMore: false })
    },
  })
  const env = { TOOLCRIB_URL: 'http://crib.example', TOOLCRIB_KEY: 'k' }
  const argv = ['events', '--follow', '--json', '--limit', '2']
  const { code, out } = await runLine(argv, { env, more: { fetch: api.fetch } })
  expect(code).toBe(0)
  expect(
    out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id),
  ).toEqual(['e5', 'e6'])
  expect(api.seen.map(({ query }) => query['after'])).toEqual(['now', 'e4', 'e5', 'e5'])
})

test('Ctrl-C ends following well; a refusal ends it as an error', async () => {
  let interrupt = () => {}
  const api = createFakeApi({
    'GET /events': () => {
      setTimeout(() => interrupt(), 10)
      return sse([frame('call.started', eventOf('e5'), 'e5')])
    },
  })
  const env = { TOOLCRIB_URL: 'http://crib.example', TOOLCRIB_KEY: 'k' }
  const argv = ['events', '--follow', '--after', 'e1']
  const line = {
    env,
    more: { fetch: api.fetch },
    onStart: (signal: () => void) => void (interrupt = signal),
  }
  expect((await runLine(argv, line)).code).toBe(0)
  const refusing = createFakeApi({
    'GET /events': () => problem({ status: 403, code: 'forbidden', detail: 'No' }),
  })
  expect((await runLine(argv, { env, more: { fetch: refusing.fetch } })).code).toBe(3)
  expect((await runLine(argv, api)).code).toBe(6)
})

test('built-in tools are counted separately', async () => {
  const skill = toolOf({ name: 'skill.list', pack: 'skill', source: 'builtin' })
  const countOf = async (...items: unknown[]) => {
    const api = createFakeApi({ 'GET /tools': () => json({ items }) })
    return (await runLine(['tools'], api)).out.split('\n').at(-2)
  }
  expect(await countOf(toolOf(), skill)).toMatch(/^1 tool \(and 1 built in\)\. /)
  expect(await countOf(toolOf(), long)).toMatch(/^2 tools\. /)
})

test('an error whose message begins with its code shows it once', async () => {
  const errors = [
    { code: 'cancelled', message: 'Cancelled by user ada' },
    { code: 'timeout', message: 'It took too long' },
  ]
  const items = errors.map((error, index) => eventOf(`e${index}`, { data: { error } }))
  const { out } = await runLine(['events'], createFakeApi({ 'GET /events': () => json({ items }) }))
  const facts = out.split('\n').map((line) => line.split('key:key_1 ')[1])
  expect(facts.slice(0, 2)).toEqual(['Cancelled by user ada', 'timeout It took too long'])
})
