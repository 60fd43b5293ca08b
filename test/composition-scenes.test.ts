import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCrib, type OpenCrib } from '../src/app/open-crib.ts'
import { ownerOf } from '../src/app/owner.ts'
import { toCompositionBehaviour } from '../src/core/compositions/to-composition-behaviour.ts'
import type { CompositionSpec } from '../src/core/compositions/spec.ts'
import { defineTool, toTool } from '../src/core/define-tool.ts'
import type { CallRecord } from '../src/core/kernel/call.ts'
import type { Tool } from '../src/core/kernel/tool.ts'
import { openTestStore } from '../src/testing/open-test-store.ts'
import { isLongRun } from './setup/run-length.ts'

const owner = ownerOf('default', 'api')
const inputSchema = { type: 'object', properties: {} }
const paths: string[] = []
const server = createServer((request, response) => {
  const path = request.url ?? ''
  paths.push(path)
  const answer = () => response.end(JSON.stringify({ path }))
  response.setHeader('content-type', 'application/json')
  if (path.startsWith('/held')) held.push(answer)
  else answer()
})
const held: (() => void)[] = []
let rounds = 0

const ask = defineTool({
  name: 'part.ask',
  description: 'Asks a person, for tests of compositions.',
  effect: 'write',
  approval: 'always',
  inputSchema,
  execute: () => 'yes',
})
const count = defineTool({
  name: 'part.count',
  description: 'Counts how often it is called, in the background.',
  effect: 'write',
  execution: 'background',
  inputSchema,
  execute: () => ({ n: (rounds += 1) }),
})

function composition(name: string, spec: Omit<CompositionSpec, 'kind'>): Tool {
  const facts = { name, description: 'For tests of compositions.', source: 'code' as const }
  return toTool(
    { ...facts, effect: 'write', inputSchema },
    toCompositionBehaviour({ kind: 'composition', ...spec }),
  )
}

/** Gives its step another input whenever it continues. */
const fickle = toTool(
  {
    name: 'part.fickle',
    description: 'Never the same.',
    source: 'code',
    effect: 'write',
    inputSchema,
  },
  {
    isResumable: true,
    async execute(_input, _context, steps) {
      rounds += 1
      const step = { key: 'ask', tool: 'part.ask', input: { n: rounds } }
      return (await steps?.call(step))?.output ?? null
    },
  },
)

let crib: OpenCrib
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  crib = await openCrib({
    cwd: process.cwd(),
    data: '/nowhere',
    store: await openTestStore(),
    tools: [
      ask,
      count,
      fickle,
      composition('part.outer', { steps: [{ id: 'inner', tool: 'loop.inner' }] }),
      composition('part.late', { steps: [{ id: 'ask', tool: 'part.ask' }], deadlineMs: 2000 }),
      composition('part.again', {
        steps: [
          {
            id: 'count',
            tool: 'part.count',
            repeat: { until: { field: 'output.n', operator: 'gte', value: 3 }, max: 9 },
          },
        ],
      }),
      composition('part.tired', {
        steps: [
          {
            id: 'count',
            tool: 'part.count',
            repeat: { until: { field: 'output.n', operator: 'lt', value: 0 }, max: 2 },
          },
        ],
      }),
    ],
    config: { network: { addresses: ['127.0.0.1'] } },
  })
})
afterAll(async () => {
  await crib.close()
  server.close()
})

function http(name: string, path: string) {
  const { port } = server.address() as AddressInfo
  return {
    name,
    description: 'Fetches a path of the test server, for tests.',
    inputSchema,
    spec: { kind: 'http', method: 'GET', url: `http://127.0.0.1:${port}${path}` },
  }
}
const steps = (name: string, ...tools: string[]) => ({
  name,
  description: 'Calls other tools one after the other, for tests.',
  inputSchema,
  spec: { kind: 'composition', steps: tools.map((tool, index) => ({ id: `s${index}`, tool })) },
})
const publish = async (document: { name: string }) => {
  const { name } = document
  await crib.api.saveToolDraft(owner, { name, document })
  return crib.api.publishTool(owner, { name })
}
const call = (tool: string) => crib.api.call({ tool, input: {}, caller: owner })
const settled = async (callId = ''): Promise<CallRecord> => {
  await expect
    .poll(async () => (await crib.api.findCall(owner, { id: callId, wait: 5 })).settledAt)
    .toBeDefined()
  return crib.api.findCall(owner, { id: callId })
}
const approveAll = async () => {
  const { items } = await crib.api.listApprovals(owner, { status: 'pending' })
  for (const { id } of items) await crib.api.decideApproval(owner, { id, decision: 'approve' })
}
const stepsOf = async (callId = '') => {
  const { items } = await crib.api.listCalls(owner, { parent: callId, limit: 100 })
  return Object.fromEntries(items.map((step) => [step.stepKey, step.status]))
}

test('a composition that waits past its deadline times out, and what waited with it is cancelled', async () => {
  const { callId } = await call('part.late')
  const end = await settled(callId)
  expect([end.status, end.error?.code]).toEqual(['failed', 'timeout'])
  await expect.poll(() => stepsOf(callId)).toEqual({ ask: 'cancelled' })
})

test('a step is repeated until its condition holds, or as often as allowed, across waits', async () => {
  rounds = 0
  const again = await settled((await call('part.again')).callId)
  expect(again.output).toEqual({ n: 3 })
  expect(await stepsOf(again.callId)).toEqual({
    'count.0': 'completed',
    'count.1': 'completed',
    'count.2': 'completed',
  })
  rounds = 0
  const tired = await settled((await call('part.tired')).callId)
  expect([tired.output, rounds]).toEqual([{ n: 2 }, 2])
})

test('a call that continues differently than it began fails without new calls', async () => {
  const { callId, status } = await call('part.fickle')
  expect(status).toBe('waiting')
  await approveAll()
  const end = await settled(callId)
  expect([end.status, end.error?.code]).toEqual(['failed', 'replay_diverged'])
  expect(await stepsOf(callId)).toEqual({ ask: 'completed' })
})

test('a tool that is removed or renamed under a running composition fails its step, and undoes nothing', async () => {
  const { api } = crib
  for (const change of ['removed', 'renamed']) {
    await publish(http(`gone.before`, '/before'))
    await publish(http(`gone.after`, '/after'))
    await publish(steps('gone.all', 'gone.before', 'part.ask', 'gone.after'))
    const { callId } = await call('gone.all')
    const removed = await api.removeAuthoredTool(owner, { name: 'gone.after' })
    expect(removed.usedBy.tools).toEqual(['gone.all'])
    if (change === 'renamed') await publish(http('gone.other', '/after'))
    paths.length = 0
    await approveAll()
    const end = await settled(callId)
    expect([end.status, end.error?.code]).toEqual(['failed', 'tool_not_found'])
    expect(end.error?.message).toContain('Step s2')
    expect(end.error?.message).toContain('gone.after')
    expect(await stepsOf(callId)).toMatchObject({ s0: 'completed', s1: 'completed' })
    expect(paths).toEqual([])
  }
})

test('a version ends the calls that began with it, whatever is published in the meantime', async () => {
  const first = await publish(steps('kept.all', 'part.ask'))
  const { callId } = await call('kept.all')
  const second = await publish(steps('kept.all', 'part.ask', 'part.ask', 'part.ask'))
  expect(second).toMatchObject({ version: { number: 2 } })
  await approveAll()
  const end = await settled(callId)
  expect([end.status, end.error]).toEqual(['completed', undefined])
  expect(await stepsOf(callId)).toEqual({ s0: 'completed' })
  expect([end.toolVersion, (await call('kept.all')).status]).toEqual([
    first.version.hash,
    'waiting',
  ])
})

test('a version that is published while many calls run is for those that come after', async () => {
  const many = isLongRun ? 1000 : 100
  const first = await publish(http('held.path', '/held/one'))
  const results = Array.from({ length: many }, () => call('held.path'))
  await expect.poll(() => held.length).toBeGreaterThan(0)
  const opening = setInterval(() => held.splice(0).forEach((answer) => answer()), 20)
  const second = await publish(http('held.path', '/held/two'))
  const later = await call('held.path')
  const ends = await Promise.all(results)
  clearInterval(opening)
  expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(['completed']))
  expect(new Set(ends.map(({ output }) => JSON.stringify(output)))).toEqual(
    new Set(['{"path":"/held/one"}']),
  )
  expect(later.output).toMatchObject({ path: '/held/two' })
  const versions = await Promise.all(
    [ends.at(-1), later].map(async (one) => {
      return (await crib.api.findCall(owner, { id: one?.callId ?? '' })).toolVersion
    }),
  )
  expect(versions).toEqual([first, second].map((one) => one.version.hash))
})

test('a circle through a composition of code is found, with the step that closes it', async () => {
  const inner = publish(steps('loop.inner', 'flow.map', 'part.outer'))
  await expect(inner).rejects.toMatchObject({
    code: 'invalid_tool',
    issues: expect.arrayContaining([
      {
        path: '/spec/steps/1/tool',
        message: 'calls itself: loop.inner → part.outer → loop.inner',
      },
    ]),
  })
})

test('compositions of code and schedules are among the users of a tool', async () => {
  const { api } = crib
  await publish(http('loop.inner', '/inner'))
  const when = { every: '1d' }
  await api.createSchedule(owner, { name: 'nightly', tool: 'loop.inner', when })
  const users = { tools: ['part.outer'], agents: [], schedules: ['nightly'] }
  expect((await api.findToolSource(owner, { name: 'loop.inner' })).usedBy).toEqual(users)
  expect((await api.removeAuthoredTool(owner, { name: 'loop.inner' })).usedBy).toEqual(users)
})
