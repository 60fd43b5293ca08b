import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { noUsage } from '../../../../core/conversations/conversation.ts'
import { toPassRate } from '../../../../core/trials/evals/pass-bounds.ts'
import type { EvalResult, EvalAttempt } from '../../../../core/trials/evals/run-evals.ts'
import { toEvalReport } from '../../../../features/evals/eval-report.ts'
import { createFakeApi, json, type SeenRequest } from '../../testing/fake-api.ts'
import { runLine } from '../../testing/run-line.ts'

interface Asked {
  name: string
  labels: string[]
  models?: string[]
  runs: number
}

const call = { tool: 'billing.find', input: { id: 'in_1' }, status: 'completed' as const }
const passing: EvalAttempt = {
  passed: true,
  problems: [],
  calls: [call],
  answer: 'Yes',
  durationMs: 5,
}
const failing: EvalAttempt = {
  ...passing,
  passed: false,
  problems: [{ path: '/calls/0', message: 'billing.refund was not called; called: billing.find' }],
}

/** `flaky` fails in the first run of each request; `small` is a model that always fails. */
function toAnswer({ body }: SeenRequest): Response {
  const { name, labels, models = ['demo'], runs } = body as Asked
  const [model = ''] = models
  const results = labels.map((label): EvalResult => {
    const outcomes = Array.from({ length: runs }, (_, index) =>
      model === 'small' || (label === 'flaky' && index === 0) ? failing : passing,
    )
    const rate = toPassRate(outcomes.filter(({ passed }) => passed).length, runs)
    const status = rate.passed === runs ? 'passed' : rate.passed === 0 ? 'failed' : 'scored'
    const usage = { ...noUsage, modelCalls: runs, inputTokens: 100 * runs, cost: 0.5 * runs }
    return { label, agent: 'support', model, status, ...rate, usage, outcomes }
  })
  const similar = [{ tool: 'billing.refund', to: ['billing.revert'] }]
  return json(toEvalReport(name, { results, similar: model === 'small' ? similar : [] }))
}

function aServer(items: { name: string; labels: string[] }[]) {
  return createFakeApi({ 'GET /evals': () => json({ items }), 'POST /evals/run': toAnswer })
}

test('many runs are several requests, shown as one result with its bounds', async () => {
  const api = aServer([{ name: 'billing.refund', labels: ['sure', 'flaky'] }])
  const { code, out } = await runLine(['eval', 'billing.*', '--runs', '10'], api)
  expect(api.seen.filter(({ method }) => method === 'POST').map(({ body }) => body)).toHaveLength(6)
  expect(code).toBe(1)
  expect(out.split('\n').toSorted()).toEqual(
    [
      '[1/2] ✓ billing.refund as support: sure demo, 10 of 10 runs (72 % to 100 %), 1000 tokens, cost 5',
      '[2/2] ~ billing.refund as support: flaky demo, 7 of 10 runs (40 % to 89 %), 1000 tokens, cost 5',
      '    3 of 10 runs: /calls/0 billing.refund was not called; called: billing.find',
      '      It called billing.find {"id":"in_1"}',
      'demo: 17 of 20 runs passed, 2000 tokens, cost 10',
      '✗ 2 evals: 1 passed, 1 scored, 0 failed',
      '',
    ].toSorted(),
  )
})

test('the share that must pass is that of each model', async () => {
  const api = aServer([{ name: 'billing.refund', labels: ['sure', 'flaky'] }])
  const line = ['eval', '--runs', '4', '--at-least', '0.8']
  expect((await runLine(line, api)).code).toBe(0)
  const compared = await runLine([...line, '--model', 'big', '--model', 'small'], api)
  expect(compared.code).toBe(1)
  const hint = 'billing.refund is described like billing.revert: state when to use which.'
  expect(compared.out.split('\n').filter((text) => text === hint)).toHaveLength(1)
  const { code, out } = await runLine([...line, '--json'], api)
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({
    passed: true,
    atLeast: 0.8,
    reports: [{ name: 'billing.refund', passed: 1, scored: 1, failed: 0 }],
  })
})

test('in JUnit a case fails where it passes less often than it should', async () => {
  const cwd = await mkdtemp(path.join(tmpdir(), 'toolcrib-junit-'))
  onTestFinished(() => rm(cwd, { recursive: true }))
  const api = aServer([{ name: 'agent:support', labels: ['sure', 'flaky'] }])
  const line = ['eval', '--runs', '4', '--junit', 'out/evals.xml']
  await runLine(line, { ...api, cwd })
  const strict = await readFile(path.join(cwd, 'out/evals.xml'), 'utf8')
  expect(strict).toContain('<testsuite name="agent:support" tests="2" failures="1"')
  expect(strict).toContain('<failure message="1 of 4 runs: /calls/0 billing.refund was not called')
  await runLine([...line, '--at-least', '0.7'], { ...api, cwd })
  expect(await readFile(path.join(cwd, 'out/evals.xml'), 'utf8')).toContain('failures="0"')
})

test('Ctrl-C ends the requests and shows what there is', async () => {
  let interrupt: () => void = () => undefined
  const api = createFakeApi({
    'GET /evals': () => json({ items: [{ name: 'billing.refund', labels: ['sure'] }] }),
    'POST /evals/run'() {
      interrupt()
      return Promise.reject(new DOMException('This operation was aborted', 'AbortError'))
    },
  })
  const onStart = (signal: () => void) => (interrupt = signal)
  const { code, out } = await runLine(['eval'], { ...api, onStart })
  expect([code, out]).toEqual([130, ''])
})

test('without evals it shows how to add some', async () => {
  const { code, err } = await runLine(['eval'], aServer([]))
  expect([code, err]).toEqual([0, expect.stringContaining('No tool or agent has evals')])
})

test.each([
  ['--runs', '0'],
  ['--runs', '1.5'],
  ['--at-least', '90'],
  ['--at-least', ''],
])('%s %s is refused before anything runs', async (option, value) => {
  const api = aServer([])
  expect((await runLine(['eval', option, value], api)).code).toBe(2)
  expect(api.seen).toEqual([])
})
