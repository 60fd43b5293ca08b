import fc from 'fast-check'
import { expect, test } from 'vitest'
import { noUsage } from '../../conversations/conversation.ts'
import type { JsonValue } from '../../kernel/json.ts'
import type { EvalExpectation } from '../../kernel/trial/tool-eval.ts'
import { toolEvals } from '../../schema/tool-evals.ts'
import { findEvalIssues, findUnknownTools } from './check-evals.ts'
import type { EvalOutcome, EvaluatedCall } from './eval-outcome.ts'
import { judgeEval } from './judge-eval.ts'
import { toPassRate } from './pass-bounds.ts'
import { type EvalJob, joinResults, runEvals } from './run-evals.ts'

function outcomeOf(...calls: [tool: string, input: JsonValue][]): EvalOutcome {
  const made = calls.map(([tool, input]) => ({ tool, input, status: 'completed' as const }))
  return { calls: made, answer: 'The total is 42.', usage: noUsage }
}

const find = ['billing.find', { id: 'in_1' }] as [string, JsonValue]
const refund = ['billing.refund', { id: 'in_1', cents: 500 }] as [string, JsonValue]

test.each<[string, EvalExpectation, string[]]>([
  ['calls in any order', { calls: [{ tool: 'billing.refund' }, { tool: 'billing.find' }] }, []],
  ['a pattern', { calls: [{ tool: 'billing.refund', input: { cents: '<integer>' } }] }, []],
  ['another input', { calls: [{ tool: 'billing.refund', input: { cents: 7 } }] }, ['/calls/0']],
  ['each call once', { calls: [{ tool: 'billing.find' }, { tool: 'billing.find' }] }, ['/calls/1']],
  ['a tool to avoid', { not: ['mail.send', 'billing.refund'] }, ['/not/1']],
  ['too many calls', { maxCalls: 1 }, ['/maxCalls']],
  ['no calls', { maxCalls: 0, answer: '<number>' }, ['/maxCalls', '/answer']],
  ['the answer', { answer: { field: 'answer', operator: 'contains', value: '42' } }, []],
  [
    'another answer',
    { answer: { field: 'answer', operator: 'contains', value: 'no' } },
    ['/answer'],
  ],
  [
    'a condition on calls',
    { answer: { field: 'calls.0.tool', operator: 'eq', value: 'billing.find' } },
    [],
  ],
])('%s', (_, expectation, places) => {
  const found = judgeEval(expectation, outcomeOf(find, refund))
  expect(found.map(({ path }) => path)).toEqual(places)
})

test('a call that fits two expectations leaves the other call to the stricter one', () => {
  const calls = [
    { tool: 'billing.find' },
    { tool: 'billing.find', input: { id: 'in_1' } },
    { tool: 'billing.find', input: { id: '<string>' } },
  ]
  const made = outcomeOf(find, ['billing.find', { id: 'in_2' }], ['billing.find', { id: 3 }])
  expect(judgeEval({ calls }, made)).toEqual([])
})

test('a call with an input that the tool refuses does not count', () => {
  const call: EvaluatedCall = {
    tool: 'billing.find',
    input: {},
    status: 'failed',
    error: {
      code: 'invalid_input',
      message: 'no',
      retryable: false,
      issues: [{ path: '/id', message: 'is missing' }],
    },
  }
  const outcome = { ...outcomeOf(), calls: [call] }
  expect(judgeEval({ calls: [{ tool: 'billing.find' }] }, outcome)).toEqual([
    {
      path: '/calls/0',
      message: 'billing.find was called with an input that it refuses: /id is missing',
    },
  ])
})

test('a run that stopped fails with its reason, even after the expected calls', () => {
  const outcome = { ...outcomeOf(find), stopped: 'It was not over after 15 steps' }
  expect(judgeEval({ calls: [{ tool: 'billing.find' }] }, outcome)).toEqual([
    { path: '/answer', message: 'It was not over after 15 steps' },
  ])
})

test('an answer of JSON is compared with a pattern', () => {
  const outcome = { ...outcomeOf(), answer: '{"total": 42, "currency": "EUR"}' }
  expect(judgeEval({ answer: { total: '<integer>' } }, outcome)).toEqual([])
})

test('the bounds of a rate are those of Wilson', () => {
  expect(toPassRate(0, 0)).toEqual({ runs: 0, passed: 0, rate: 0, low: 0, high: 1 })
  expect(toPassRate(5, 5)).toEqual({ runs: 5, passed: 5, rate: 1, low: 0.5655, high: 1 })
  expect(toPassRate(8, 10)).toEqual({ runs: 10, passed: 8, rate: 0.8, low: 0.4902, high: 0.9433 })
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (runs, share) => {
        const passed = Math.round(runs * share)
        const { rate, low, high } = toPassRate(passed, runs)
        const mirrored = toPassRate(runs - passed, runs)
        expect(low).toBeGreaterThanOrEqual(0)
        expect(low).toBeLessThanOrEqual(rate)
        expect(high).toBeGreaterThanOrEqual(rate)
        expect(high).toBeLessThanOrEqual(1)
        expect(mirrored.low).toBeCloseTo(1 - high, 3)
      },
    ),
  )
})

const jobOf = (label: string, run: (number: number) => EvalOutcome): EvalJob => {
  let runs = 0
  const seat = { model: 'demo', run: async () => run((runs += 1)) }
  return { test: { label, say: label, expect: { calls: [{ tool: 'billing.find' }] } }, seat }
}
const running = { runs: 4, atOnce: 2, now: () => 0, signal: new AbortController().signal }

test('an eval that passes in some runs is scored, with the problem of each other run', async () => {
  const jobs = [
    jobOf('sure', () => outcomeOf(find)),
    jobOf('flaky', (number) => (number % 2 === 0 ? outcomeOf(find) : outcomeOf())),
    jobOf('wrong', () => outcomeOf(refund)),
  ]
  const results = await runEvals(jobs, running)
  expect(results.map(({ label, status, passed, runs }) => [label, status, passed, runs])).toEqual([
    ['sure', 'passed', 4, 4],
    ['flaky', 'scored', 2, 4],
    ['wrong', 'failed', 0, 4],
  ])
  expect(results[2]?.outcomes[0]?.problems[0]?.message).toBe(
    'billing.find was not called; called: billing.refund',
  )
  expect(joinResults([results[0], results[2]].flatMap((one) => one ?? []))).toMatchObject({
    status: 'scored',
    passed: 4,
    runs: 8,
  })
})

test('a run that rejects stops the others', async () => {
  let begun = 0
  const failing = jobOf('breaks', () => {
    begun += 1
    throw new Error('broken')
  })
  const jobs = Array.from({ length: 20 }, () => failing)
  await expect(runEvals(jobs, running)).rejects.toThrow('broken')
  expect(begun).toBeLessThanOrEqual(running.atOnce)
})

test('mistakes in evals are found before they run', () => {
  const evals = toolEvals.parse([
    { say: 'Refund it', expect: { calls: [{ tool: 'billing.refnd', input: { id: '<strng>' } }] } },
    { say: 'Refund it', expect: { not: ['mail.send'] }, given: { 'a.b': 1 } },
  ])
  expect(findEvalIssues(evals).map(({ path }) => path)).toEqual([
    '/evals/0/expect/calls/0/input/id',
    '/evals/1/label',
  ])
  const names = ['billing.refund', 'mail.send']
  const isKnown = (name: string) => names.includes(name)
  expect(findUnknownTools(evals, { isKnown, names: () => names })).toEqual([
    { path: '/evals/0/expect/calls/0/tool', message: expect.stringContaining('billing.refund') },
    { path: '/evals/1/given/a.b', message: expect.stringContaining('Known:') },
  ])
})

test.each([
  { say: '', expect: {} },
  { say: 'x', expect: { calls: [{ tool: 'Not a tool' }] } },
  { say: 'x', expect: { answer: { field: 'answer', operator: 'like', value: 1 } } },
  { say: 'x', expect: {}, as: 'Not a slug' },
  { say: 'x', expects: {} },
])('a malformed eval is refused: %j', (one) => {
  expect(toolEvals.safeParse([one]).success).toBe(false)
})
