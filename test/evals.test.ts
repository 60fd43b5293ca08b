import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Crib, defineTool, z } from '../src/app/index.ts'
import { checkTools } from '../src/app/check-tools.ts'
import { ownerOf } from '../src/app/owner.ts'
import { createTestCrib } from '../src/testing/index.ts'
import {
  fakeModel,
  type ModelAnswer,
  type ModelRequest,
  startFakeModel,
} from './chat/fake-model.ts'

const owner = ownerOf()
const effects: string[] = []

const find = defineTool({
  name: 'billing.find',
  description: 'Finds an invoice.',
  effect: 'read',
  inputSchema: z.object({ id: z.string() }),
  execute: ({ id }) => ({ id, total: 42 }),
})
const refund = defineTool({
  name: 'billing.refund',
  description: 'Refunds an invoice.',
  effect: 'destructive',
  approval: 'always',
  inputSchema: z.object({ id: z.string(), cents: z.int() }),
  execute({ cents }) {
    effects.push(`refunded ${cents}`)
    return { state: 'done' }
  },
  evals: [
    {
      label: 'finds it first',
      say: 'run billing.find with {"id": "in_1"} then run billing.refund with {"id": "in_1", "cents": 42}',
      given: { 'billing.refund': { state: 'given' } },
      expect: {
        calls: [
          { tool: 'billing.find' },
          { tool: 'billing.refund', input: { cents: '<integer>' } },
        ],
        maxCalls: 2,
        answer: { field: 'answer', operator: 'contains', value: 'given' },
      },
    },
    {
      label: 'an effect that nobody has given is not made',
      say: 'run billing.refund with {"id": "in_1", "cents": 1}',
      expect: { calls: [{ tool: 'billing.refund' }], not: ['billing.find'] },
    },
    {
      label: 'given outputs do not hide a wrong input',
      say: 'run billing.refund with {"id": "in_1"}',
      given: { 'billing.refund': { state: 'given' } },
      expect: { calls: [{ tool: 'billing.refund' }] },
    },
    {
      label: 'names an unknown tool',
      say: 'run billing.find with {"id": "in_1"}',
      expect: { calls: [{ tool: 'billing.fnd' }] },
    },
    {
      label: 'names an unknown agent',
      as: 'supprt',
      say: 'hello',
      expect: { maxCalls: 0 },
    },
  ],
})

/** Described like another. */
const read = defineTool({
  name: 'billing.read',
  description: 'Finds an invoice.',
  effect: 'read',
  inputSchema: z.object({ id: z.string() }),
  execute: ({ id }) => ({ id }),
})

const cancel = defineTool({
  name: 'billing.cancel',
  description: 'Makes an invoice void.',
  effect: 'destructive',
  inputSchema: z.object({ id: z.string() }),
  preview: ({ id }) => ({ summary: `Voids ${id}.`, changes: [{ target: id, after: 'void' }] }),
  execute({ id }) {
    effects.push(`voided ${id}`)
    return { state: 'void' }
  },
  evals: [
    {
      label: 'through a search',
      as: 'seeker',
      say: 'run billing.find with {"id": "in_1"} then run billing.cancel with {"id": "in_1"}',
      expect: {
        calls: [{ tool: 'billing.find' }, { tool: 'billing.cancel', input: { id: 'in_1' } }],
        maxCalls: 2,
        answer: { field: 'answer', operator: 'contains', value: 'Voids in_1' },
      },
    },
    {
      label: 'in a program',
      as: 'coder',
      say: 'run code.run with {"language": null, "source": "const { total } = await callTool(\\"billing.find\\", { id: \\"in_1\\" })\\ntry { await callTool(\\"billing.cancel\\", { id: \\"in_1\\" }) } catch {}\\nreturn { total }"}',
      expect: {
        calls: [{ tool: 'billing.find' }, { tool: 'billing.cancel' }],
        maxCalls: 2,
        answer: { field: 'answer', operator: 'contains', value: '42' },
      },
    },
  ],
})

const say = (answer: ModelAnswer) => () => answer
let script: (request: ModelRequest, number: number) => ModelAnswer = say({ text: 'Hello.' })
let model: Awaited<ReturnType<typeof startFakeModel>>
let crib: Crib

beforeAll(async () => {
  model = await startFakeModel((request, number) => script(request, number))
  const prices = { [fakeModel]: { input: 1, output: 1 } }
  crib = await createTestCrib({
    tools: [find, refund, read, cancel],
    config: {
      tools: [],
      packs: { code: true },
      models: { ...model.config.models, prices },
      agents: [
        { slug: 'seeker', toolMode: 'search', tools: { allow: ['billing.*'] } },
        { slug: 'coder', toolMode: 'code', tools: { allow: ['billing.*', 'code.run'] } },
        {
          slug: 'support',
          model: fakeModel,
          instructions: 'Be brief.',
          maxSteps: 3,
          tools: { allow: ['billing.find', 'billing.read'] },
          evals: [
            { say: 'What is on invoice in_1?', expect: { calls: [{ tool: 'billing.find' }] } },
          ],
        },
      ],
    },
  })
})
afterAll(async () => {
  await crib.close()
  await model.close()
})

test('evals of a tool run against a model without effects, and say where they fail', async () => {
  const [report, ...more] = await crib.runEvals({ pattern: 'billing.refund' })
  expect(more).toEqual([])
  expect(report).toMatchObject({ name: 'billing.refund', passed: 2, scored: 0, failed: 3 })
  const found = report?.results.map(({ outcomes }) => outcomes[0]?.problems.map((one) => one.path))
  expect(found).toEqual([[], [], ['/calls/0'], ['/calls/0/tool'], ['/as']])
  const [first] = report?.results ?? []
  expect(first).toMatchObject({ model: 'demo', runs: 1, rate: 1, high: 1 })
  const outcomes = report?.results.map((result) => result.outcomes[0]) ?? []
  expect(outcomes[0]?.calls.map(({ tool }) => tool)).toEqual(['billing.find', 'billing.refund'])
  expect(outcomes[1]?.calls).toEqual([expect.objectContaining({ status: 'failed' })])
  expect(outcomes.flatMap((one) => one?.problems.map(({ message }) => message))).toEqual([
    expect.stringContaining('/cents'),
    expect.stringContaining('did you mean "billing.find"'),
    expect.stringContaining('did you mean "support"'),
  ])
  expect(effects).toEqual([])
})

test('reads of evals are on record as tests, and nothing waits for approval', async () => {
  const { items } = await crib.api.listCalls(owner, { tool: 'billing.find', limit: 1 })
  expect(items[0]).toMatchObject({ purpose: 'test', status: 'completed' })
  const { items: refunds } = await crib.api.listCalls(owner, { tool: 'billing.refund' })
  expect(refunds).toEqual([])
  expect((await crib.api.listApprovals(owner, {})).items).toEqual([])
})

test('calls through a search and in a program count as calls of the tool, without effects', async () => {
  const [report] = await crib.runEvals({ pattern: 'billing.cancel' })
  expect(report?.results.map(({ outcomes }) => outcomes[0]?.problems)).toEqual([[], []])
  expect(report?.results[0]?.outcomes[0]?.calls.map(({ tool, status }) => [tool, status])).toEqual([
    ['billing.find', 'completed'],
    ['billing.cancel', 'completed'],
  ])
  expect(report?.results[1]?.outcomes[0]?.calls.map(({ tool, status }) => [tool, status])).toEqual([
    ['billing.find', 'completed'],
    ['billing.cancel', 'failed'],
  ])
  expect(effects).toEqual([])
})

test('a model that chooses well in some runs is scored, with its tokens and cost', async () => {
  let conversations = 0
  script = ({ messages }) => {
    if (messages.some(({ role }) => role === 'tool')) return { text: 'It is 42.' }
    conversations += 1
    if (conversations % 2 === 0) return { text: 'I do not know.' }
    return { calls: [{ name: 'billing_find', input: { id: 'in_1' } }] }
  }
  const [report] = await crib.runEvals({ pattern: 'agent:support', runs: 4 })
  expect(report).toMatchObject({ name: 'agent:support', scored: 1 })
  const [result] = report?.results ?? []
  expect(result).toMatchObject({
    agent: 'support',
    model: fakeModel,
    status: 'scored',
    passed: 2,
    runs: 4,
    rate: 0.5,
    low: 0.15,
    high: 0.85,
  })
  expect(result?.usage.modelCalls).toBe(6)
  expect(result?.usage.cost).toBeGreaterThan(0)
  expect(model.requests.at(-1)?.messages[0]).toMatchObject({ role: 'system', content: 'Be brief.' })
  expect(model.requests.at(-1)?.tools?.map((tool) => tool.function.name)).toEqual([
    'billing_find',
    'billing_read',
  ])
  expect(report?.similar).toEqual([{ tool: 'billing.find', to: ['billing.read'] }])
})

test.each<[string, typeof script, RegExp]>([
  ['fails', say({ status: 400, message: 'no such model' }), /gave no answer: it answered 400/],
  ['is silent', say({ text: '' }), /gave no answer/],
  [
    'does not come to an end',
    say({ calls: [{ name: 'billing_find', input: { id: 'in_1' } }] }),
    /not over after 3 steps; the last call was billing.find/,
  ],
])('a model that %s fails the run with the reason', async (_, answers, message) => {
  script = answers
  const [report] = await crib.runEvals({ agent: 'support', pattern: 'agent:*' })
  expect(report?.results[0]?.status).toBe('failed')
  expect(report?.results[0]?.outcomes[0]?.problems[0]?.message).toMatch(message)
})

test('ending the request ends the conversations', async () => {
  const leaving = new AbortController()
  const asked = Promise.withResolvers<void>()
  script = () => {
    asked.resolve()
    return { hang: true }
  }
  const running = crib.runEvals({ pattern: 'agent:support', signal: leaving.signal })
  await asked.promise
  const hungUp = model.hungUp()
  leaving.abort(new Error('called off'))
  await expect(running).rejects.toThrow('called off')
  await expect.poll(model.hungUp).toBeGreaterThan(hungUp)
})

test('unknown names are errors with the nearest one', async () => {
  const run = (request: object) => crib.api.runToolEvals(owner, request as never)
  await expect(run({ name: 'billing.refnd' })).rejects.toMatchObject({
    code: 'tool_not_found',
    message: expect.stringContaining('did you mean billing.refund?'),
  })
  await expect(run({ name: 'agent:suport' })).rejects.toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('did you mean "support"'),
  })
  const wrongAgent = { agent: 'suport' }
  const requests = [
    () => run({ name: 'agent:support', ...wrongAgent }),
    () => run({ name: 'billing.refund', ...wrongAgent }),
    () => crib.runEvals(wrongAgent),
  ]
  for (const request of requests) {
    await expect(request()).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('did you mean "support"'),
    })
  }
  await expect(run({ name: 'billing.refund', models: ['dmo'] })).rejects.toMatchObject({
    code: 'invalid_config',
    fix: expect.stringContaining('Did you mean demo?'),
  })
  await expect(
    run({ name: 'billing.refund', models: ['demo', 'demo'], runs: 21 }),
  ).rejects.toMatchObject({ code: 'invalid_request' })
})

test('another model needs the permission to manage agents', async () => {
  const member = { ...owner, permissions: ['agents.chat', 'tools.call'] }
  const request = { name: 'billing.refund', labels: ['finds it first'] }
  expect(await crib.api.runToolEvals(member, request)).toMatchObject({ passed: 1 })
  await expect(
    crib.api.runToolEvals(member, { ...request, models: ['demo'] }),
  ).rejects.toMatchObject({ code: 'forbidden' })
})

test('toolcrib eval runs without a server, with JUnit and an exit code, and check finds mistakes', async () => {
  const cwd = await mkdtemp(path.join(tmpdir(), 'toolcrib-evals-'))
  onTestFinished(() => rm(cwd, { recursive: true }))
  await writeFile(
    path.join(cwd, 'double.tool.ts'),
    `import { defineTool, z } from 'toolcrib'
    export default defineTool({
      name: 'calc.double', description: 'Doubles a number, for the test of the command.',
      effect: 'read', inputSchema: z.object({ n: z.number() }), execute: ({ n }) => ({ total: n * 2 }),
      evals: [
        { label: 'two & <two>', say: 'run calc.double with n=2', expect: { calls: [{ tool: 'calc.double', input: { n: 2 } }] } },
        { say: 'Say hello', expect: { calls: [{ tool: 'calc.duble' }] } },
      ],
    })`,
  )
  const command = path.join(import.meta.dirname, '../bin/toolcrib')
  const args = ['eval', 'calc.*', '--runs', '5', '--junit', 'out/junit.xml', '--tools', cwd]
  const failed = await promisify(execFile)(command, args, { cwd }).catch(
    (error: { code: number; stdout: string }) => error,
  )
  expect(failed).toMatchObject({ code: 1 })
  expect(failed.stdout).toMatch(/✓ calc.double: two & <two> .*5 of 5 runs \(57 % to 100 %\)/)
  expect(failed.stdout).toContain('there is no tool calc.duble here; did you mean "calc.double"?')
  expect(failed.stdout).toContain('1 passed, 0 scored, 1 failed')
  const junit = await readFile(path.join(cwd, 'out/junit.xml'), 'utf8')
  expect(junit).toContain('<testcase classname="calc.double" name="two &amp; &lt;two&gt; (demo)"')
  expect(junit).toContain('tests="2" failures="1"')
  const { findings } = await checkTools({ cwd, tools: [cwd], data: cwd })
  expect(findings.filter(({ rule }) => rule === 'eval')).toEqual([
    expect.objectContaining({
      severity: 'warning',
      tool: 'calc.double',
      path: '/evals/1/expect/calls/0/tool',
      message: expect.stringContaining('there is no tool calc.duble here'),
    }),
  ])
})
