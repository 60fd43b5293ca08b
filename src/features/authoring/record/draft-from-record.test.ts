import { expect, test } from 'vitest'
import type { CallRecord } from '../../../core/kernel/call.ts'
import type { JsonValue } from '../../../core/kernel/json.ts'
import type { ToolContract } from '../../../core/kernel/tool.ts'
import type { KnownTools } from '../../../core/sources/known-tools.ts'
import { draftFromRecord } from './draft-from-record.ts'
import type { MarkedConstant } from './link-steps.ts'

/** Names of tools say whether they read: `orders.find`, `mail.send!`. */
const known: KnownTools = {
  find: (name) =>
    ({
      effect: /send|refund/.test(name) ? 'write' : 'read',
      inputSchema: { type: 'object', additionalProperties: true },
    }) as Partial<ToolContract> as ToolContract,
  names: () => [],
}

interface Made {
  tool: string
  input: JsonValue
  output?: JsonValue
  /** When it began and ended, in seconds. By default one after the other. */
  at?: [number, number]
  more?: Partial<CallRecord>
}

function toCalls(made: readonly Made[]): CallRecord[] {
  return made.map(({ tool, input, output = null, at, more }, index) => {
    const [from, to] = at ?? [index * 2, index * 2 + 1]
    const time = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1000).toISOString()
    return {
      callId: `call_${index}`,
      tenant: 'default',
      tool,
      input,
      output,
      status: 'completed',
      principal: { kind: 'user', id: 'ada' },
      runtime: 'api',
      attempt: 1,
      requestedAt: time(from),
      startedAt: time(from),
      settledAt: time(to),
      ...more,
    }
  })
}

interface Said {
  said?: string
  answer?: string
  input?: { [key: string]: JsonValue }
  output?: JsonValue
  marks?: MarkedConstant[]
}

function draft(made: readonly Made[], { said = '', answer = '', input, output, marks }: Said = {}) {
  const whole = input && {
    input,
    inputSchema: { type: 'object', additionalProperties: true },
    ...(output !== undefined && { output }),
  }
  const work = {
    title: 'a run',
    recordedAt: '2026-11-19',
    calls: toCalls(made),
    said,
    answer,
    whole,
  }
  return draftFromRecord(work, { known, isTaken: () => false, ...(marks && { marks }) })
}
const stepsOf = async (...of: Parameters<typeof draft>) => (await draft(...of)).document.spec.steps

const invoice = {
  id: 'inv_4711',
  customer: { email: 'ada@example.org' },
  total: 7050,
  status: 'paid',
}

test('values of earlier outputs and of the message become references and inputs', async () => {
  const { document, constants, replayed, notes } = await draft(
    [
      { tool: 'billing.find', input: { id: 'inv_4711' }, output: invoice },
      {
        tool: 'mail.send',
        input: {
          to: 'ada@example.org',
          text: 'Your 7050 cents for inv_4711 are on the way',
          html: false,
        },
        output: { sent: true },
      },
    ],
    { said: 'Please refund inv_4711 to the customer.' },
  )
  expect(document.spec).toEqual({
    kind: 'composition',
    steps: [
      { id: 'find', tool: 'billing.find', input: { id: '{{input.id}}' } },
      {
        id: 'send',
        tool: 'mail.send',
        input: {
          to: '{{steps.find.output.customer.email}}',
          text: 'Your {{steps.find.output.total}} cents for {{input.id}} are on the way',
          html: false,
        },
      },
    ],
  })
  expect(document).toMatchObject({
    name: 'mail.send-flow',
    inputSchema: { properties: { id: { type: 'string' } }, required: ['id'] },
    examples: [{ input: { id: 'inv_4711' } }],
    tests: [
      {
        input: { id: 'inv_4711' },
        expect: { output: { sent: true } },
        given: { 'mail.send': { sent: true } },
      },
    ],
  })
  expect({ replayed, notes }).toEqual({ replayed: 2, notes: [] })
  expect(constants).toEqual([{ step: 'send', tool: 'mail.send', path: '/html', value: false }])
})

test('truth values, zero, one, empty and short values are never references by chance', async () => {
  const steps = await stepsOf([
    {
      tool: 'a.send',
      input: {},
      output: { ok: true, none: null, zero: 0, one: 1, empty: '', few: 42, word: 'open' },
    },
    {
      tool: 'b.send',
      input: { done: true, none: null, zero: 0, one: 1, empty: '', other: 42, state: 'open' },
    },
  ])
  expect(steps[1]?.input).toEqual({
    done: true,
    none: null,
    zero: 0,
    one: 1,
    empty: '',
    other: 42,
    state: 'open',
  })
})

test('a short value under the same name is the same; one that occurs twice is left, and reported', async () => {
  const { document, findings } = await draft([
    { tool: 'a.find', input: {}, output: { count: 42, a: { x: 'order-9' }, b: { y: 'order-9' } } },
    { tool: 'b.send', input: { count: 42, about: 'order-9' } },
  ])
  expect(document.spec.steps[1]?.input).toEqual({
    count: '{{steps.find.output.count}}',
    about: 'order-9',
  })
  expect(findings).toMatchObject([{ path: '/spec/steps/1/input/about', severity: 'warning' }])
})

test('hidden values and credentials are asked for, and are nowhere in the document', async () => {
  const key = `sk_live_${'a1'.repeat(12)}`
  const { document, notes } = await draft(
    [
      {
        tool: 'a.send',
        input: { password: '[redacted:password]', apiKey: key },
        output: { token: '(hidden)' },
      },
      { tool: 'b.send', input: { auth: '(hidden)', note: key } },
    ],
    { said: `Use ${key} please` },
  )
  expect(JSON.stringify(document)).not.toMatch(/sk_live|redacted|hidden/)
  expect(document.spec.steps[0]?.input).toEqual({
    password: '{{input.password}}',
    apiKey: '{{input.api_key}}',
  })
  expect(notes[0]).toContain('password, api_key, auth')
  expect(document.examples).toBe(undefined)
})

test('failures, refusals, previews, undone calls and unused reads are left out', async () => {
  const failed = (code: string, retryable: boolean): Made['more'] => ({
    status: 'failed',
    error: { code: code as 'tool_failed', message: 'No', retryable },
  })
  const { document, notes } = await draft([
    { tool: 'a.find', input: { q: 'x' }, more: failed('upstream_failed', true) },
    { tool: 'a.find', input: { q: 'x' }, output: { id: 'order-1' } },
    { tool: 'a.find', input: { q: 'x' }, output: { id: 'order-1' } },
    { tool: 'a.look', input: {}, output: { nothing: 'of-use' } },
    { tool: 'b.send', input: { order: 'order-1' }, more: { status: 'denied' } },
    { tool: 'b.send', input: { order: 'order-1' }, more: { purpose: 'preview' } },
    { tool: 'b.send', input: { order: 'order-1', copy: true }, output: { id: 'sent-1' } },
    { tool: 'b.send', input: {}, more: { undoes: 'call_6' } },
    { tool: 'c.refund', input: { order: 'order-1' }, output: { id: 're-1' } },
  ])
  expect(document.spec.steps).toEqual([
    { id: 'find', tool: 'a.find', input: { q: 'x' }, retry: { times: 1 } },
    { id: 'refund', tool: 'c.refund', input: { order: '{{steps.find.output.id}}' } },
  ])
  expect(notes.join(' ')).toMatch(
    /failed: a\.find.*made twice.*refused: b\.send.*undone.*nothing uses.*a\.look/s,
  )
})

test('reads run beside each other; effects keep their order, and what waits for them too', async () => {
  const steps = await stepsOf(
    [
      { tool: 'a.find', input: { q: 'x' }, output: 'alpha-1' },
      { tool: 'b.find', input: { q: 'y' }, output: 'beta-2' },
      { tool: 'c.send', input: { a: 'alpha-1' }, output: 'sent-3' },
      { tool: 'a.find', input: { q: 'z' }, output: 'gamma-4' },
      { tool: 'c.send', input: { b: 'gamma-4' }, at: [20, 30], output: 'sent-5' },
      { tool: 'c.refund', input: { n: 'beta-2' }, at: [20, 30], output: 'sent-6' },
    ],
    { answer: 'beta-2' },
  )
  expect(steps.map(({ id, after }) => [id, after])).toEqual([
    ['find', undefined],
    ['find_2', []],
    ['send', undefined],
    ['find_3', undefined],
    ['send_2', undefined],
    ['refund', ['find_3']],
  ])
})

test('calls for each item of a list become one step', async () => {
  const lines = [{ sku: 'bolt-1' }, { sku: 'nut-22' }, { sku: 'screw-3' }]
  const { document, replayed } = await draft([
    { tool: 'orders.find', input: {}, output: { lines } },
    ...lines.map(({ sku }, index) => ({
      tool: 'stock.check',
      input: { sku, of: 'all' },
      output: { left: `left-${index}` },
    })),
    { tool: 'mail.send', input: { text: 'First left-0, last left-2' }, output: null },
  ])
  expect(document.spec.steps.slice(1)).toEqual([
    {
      id: 'check',
      tool: 'stock.check',
      each: '{{steps.find.output.lines}}',
      input: { sku: '{{item.sku}}', of: 'all' },
    },
    {
      id: 'send',
      tool: 'mail.send',
      input: { text: 'First {{steps.check.output[0].left}}, last {{steps.check.output[2].left}}' },
    },
  ])
  expect(replayed).toBe(5)
})

test('a call that made others gives its input and its output', async () => {
  const { document } = await draft(
    [{ tool: 'billing.find', input: { id: 'Rome', days: 3 }, output: invoice }],
    {
      input: { city: 'Rome', days: 3, more: 'unused' },
      output: { email: 'ada@example.org', fixed: 'yes' },
    },
  )
  expect(document.spec).toMatchObject({
    steps: [{ input: { id: '{{input.city}}', days: '{{input.days}}' } }],
    output: { email: '{{steps.find.output.customer.email}}', fixed: 'yes' },
  })
})

test('a marked constant becomes an input everywhere it is in the same place', async () => {
  const made = ['one', 'two'].map((name) => ({
    tool: 'mail.send',
    input: { name, greeting: 'Hello' },
  }))
  const { document } = await draft(made, {
    marks: [{ step: 'send', path: '/greeting', name: 'salute' }],
  })
  expect(document.spec.steps.map(({ input }) => input)).toEqual([
    { name: 'one', greeting: '{{input.salute}}' },
    { name: 'two', greeting: '{{input.salute}}' },
  ])
  expect(document.inputSchema['properties']).toEqual({ salute: { type: 'string' } })
})

test('a record without a call that can be repeated is refused', async () => {
  await expect(draft([])).rejects.toMatchObject({ code: 'invalid_request' })
  await expect(
    draft(Array.from({ length: 201 }, (_, n) => ({ tool: 'mail.send', input: { n } }))),
  ).rejects.toMatchObject({ code: 'invalid_request' })
})

test('fifty calls with large outputs take a moment', async () => {
  const rows = (of: number) => Array.from({ length: 100 }, (_, n) => ({ id: `row-${of}-${n}`, n }))
  const made = Array.from({ length: 50 }, (_, n) => ({
    tool: 'rows.send',
    input: {
      id: n === 0 ? 'none' : `row-${n - 1}-7`,
      text: `About row-${Math.max(0, n - 1)}-9 `.repeat(20),
    },
    output: { rows: rows(n) },
  }))
  const startedAt = performance.now()
  const { document, replayed } = await draft(made)
  expect(replayed).toBe(50)
  expect(document.spec.steps[49]?.input?.['id']).toBe('{{steps.send_49.output.rows[7].id}}')
  expect(performance.now() - startedAt).toBeLessThan(20_000)
})
