import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Crib, defineTool, z } from '../src/app/index.ts'
import { ownerOf } from '../src/app/owner.ts'
import { createTestCrib, runToolTests } from '../src/testing/index.ts'

const owner = ownerOf()
const effects: string[] = []

const charge = defineTool({
  name: 'pay.charge',
  description: 'Charges a card.',
  effect: 'destructive',
  inputSchema: z.object({ cents: z.int() }),
  execute({ cents }) {
    effects.push(`charged ${cents}`)
    return { id: 'ch_1', state: 'done' }
  },
})
const rate = defineTool({
  name: 'pay.rate',
  description: 'Reads a rate.',
  effect: 'read',
  inputSchema: z.object({}),
  execute: () => 2,
})
const order = defineTool({
  name: 'shop.order',
  description: 'Orders something.',
  effect: 'write',
  approval: 'always',
  inputSchema: z.object({ cents: z.int().min(1), code: z.string().optional() }),
  async execute({ cents }, ctx) {
    const factor = (await ctx.call('pay.rate', {})) as number
    const { id } = (await ctx.call('pay.charge', { cents: cents * factor })) as { id: string }
    return { order: `order of ${id}`, cents: cents * factor, state: 'open' }
  },
  tests: [
    {
      label: 'charges by the rate',
      input: { cents: 5 },
      given: { 'pay.charge': { id: 'ch_9' } },
      expect: {
        output: { order: 'order of ch_9', cents: '<integer>' },
        where: [{ field: 'output.cents', operator: 'eq', value: 10 }],
      },
    },
    {
      label: 'other tools can be given, reads too',
      input: { cents: 5 },
      given: { 'pay.charge': { id: 'x' }, 'pay.rate': 3 },
      expect: { output: { cents: 15 } },
    },
    { label: 'nothing for free', input: { cents: 0 }, expect: { error: 'invalid_input' } },
    { label: 'calls a real effect', input: { cents: 5 }, expect: {} },
    {
      label: 'is wrong',
      input: { cents: 1 },
      given: { 'pay.charge': { id: 'x' } },
      expect: {
        output: { state: 'paid' },
        where: [{ field: 'call.status', operator: 'eq', value: 'failed' }],
      },
    },
  ],
})

let crib: Crib
beforeAll(async () => {
  crib = await createTestCrib({ tools: [charge, rate, order] })
})
afterAll(() => crib.close())

test('the tests of a tool run without effects and say where they fail', async () => {
  const [report, ...more] = await crib.runTests('shop.*')
  expect(more).toEqual([])
  expect(report).toMatchObject({ tool: 'shop.order', passed: 3, failed: 2 })
  expect(report?.results.map(({ label, status }) => [label, status])).toEqual([
    ['charges by the rate', 'passed'],
    ['other tools can be given, reads too', 'passed'],
    ['nothing for free', 'passed'],
    ['calls a real effect', 'failed'],
    ['is wrong', 'failed'],
  ])
  expect(report?.results[3]?.problems[0]?.message).toContain('pay.charge is refused')
  expect(report?.results[4]?.problems).toEqual([
    { path: '/output/state', message: 'is "open", not "paid"' },
    { path: '/where/0', message: expect.stringContaining('does not hold') },
  ])
  expect(effects).toEqual([])
})

test('the calls of tests are on record as such, and count as no use', async () => {
  const { results } = await crib.api.runToolTests(owner, {
    name: 'shop.order',
    labels: ['charges by the rate'],
  })
  const [result] = results
  const call = await crib.calls.get(result?.callId ?? '')
  expect(call).toMatchObject({ tool: 'shop.order', purpose: 'test', status: 'completed' })
  await crib.call('pay.rate')
  const used = async () => (await crib.api.readUsage(owner, { by: 'tool' })).items
  await expect.poll(used, { timeout: 10_000 }).toMatchObject([{ subject: 'pay.rate', calls: 1 }])
})

test('a recorded call becomes a test that passes', async () => {
  const { approvalId = '', callId = '' } = await crib.call('shop.order', { cents: 4 })
  await crib.approvals.approve({ approvalId })
  await crib.calls.wait(callId, { seconds: 20 })
  const { test: made, missing } = await crib.api.testFromCall(owner, { id: callId })
  expect(missing).toEqual([])
  expect(made).toEqual({
    label: expect.stringMatching(/^As recorded on \d{4}-/),
    input: { cents: 4 },
    given: { 'pay.charge': { id: 'ch_1', state: 'done' } },
    expect: { output: { order: '<string>', cents: '<integer>', state: 'open' } },
  })
  const tool = defineTool({
    name: 'shop.copy',
    description: 'The same.',
    effect: 'write',
    inputSchema: z.object({ cents: z.int() }),
    execute: async ({ cents }, ctx) => {
      const { id } = (await ctx.call('pay.charge', { cents })) as { id: string }
      return { order: `order of ${id}`, cents, state: 'open' }
    },
    tests: [made as never],
  })
  expect(await runToolTests(tool, { tools: [charge] })).toMatchObject({ passed: 1, failed: 0 })
})

test('secrets are never kept in a test', async () => {
  const login = defineTool({
    name: 'shop.login',
    description: 'Signs in.',
    effect: 'write',
    inputSchema: z.object({
      user: z.string(),
      password: z.string().meta({ format: 'password', writeOnly: true }),
    }),
    execute: ({ user, password }) => ({ user, said: `hello ${password}` }),
  })
  const other = await createTestCrib({ tools: [login] })
  onTestFinished(() => other.close())
  const { callId = '' } = await other.call('shop.login', {
    user: 'ada',
    password: 'hunter2-secret',
  })
  const made = await other.api.testFromCall(owner, { id: callId })
  expect(made).toMatchObject({ test: { input: { user: 'ada' } }, missing: ['/password'] })
  expect(JSON.stringify(made)).not.toContain('hunter2')
})

test('toolcrib test runs them without a server, with JUnit and an exit code', async () => {
  const cwd = await mkdtemp(path.join(tmpdir(), 'toolcrib-tests-'))
  onTestFinished(() => rm(cwd, { recursive: true }))
  await writeFile(
    path.join(cwd, 'double.tool.ts'),
    `import { defineTool, z } from 'toolcrib'
    export default defineTool({
      name: 'calc.double', description: 'Doubles a number, for the test of the command.',
      effect: 'read', inputSchema: z.object({ n: z.number() }), execute: ({ n }) => ({ total: n * 2 }),
      tests: [
        { label: 'two & <two>', input: { n: 2 }, expect: { output: { total: 4 } } },
        { label: 'wrong', input: { n: 2 }, expect: { output: { total: 5 } } },
      ],
    })`,
  )
  const command = path.join(import.meta.dirname, '../bin/toolcrib')
  const args = ['test', 'calc.*', '--tools', cwd, '--junit', 'out/junit.xml']
  const failed = await promisify(execFile)(command, args, { cwd }).catch(
    (error: { code: number; stdout: string }) => error,
  )
  expect(failed).toMatchObject({ code: 1 })
  expect(failed.stdout).toContain('/output/total is 4, not 5')
  expect(failed.stdout).toContain('1 passed, 1 failed')
  const junit = await readFile(path.join(cwd, 'out/junit.xml'), 'utf8')
  expect(junit).toContain('<testcase classname="calc.double" name="two &amp; &lt;two&gt;"')
  expect(junit).toContain('<failure message="/output/total is 4, not 5">')
})
