import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Crib, createCrib, defineComposition, defineTool, z } from '../src/app/index.ts'
import { ownerOf } from '../src/app/owner.ts'
import type { Caller } from '../src/core/kernel/call.ts'
import type { Effect, JsonValue } from '../src/core/kernel/tool.ts'
import { createTempDatabase, createTempFolder } from '../src/store/contract/temp-store.ts'
import { createTestCrib } from '../src/testing/index.ts'

const owner = ownerOf('default')
let made: string[] = []
const failing = new Set<string>()

function step(name: string, effect: Effect, more: object = {}) {
  return defineTool({
    name,
    description: 'A step for the tests of running again.',
    effect,
    inputSchema: z.object({ id: z.string() }),
    execute({ id }) {
      made.push(id)
      if (failing.has(id)) throw new Error('not now')
      return { id, run: made.filter((one) => one === id).length }
    },
    ...more,
  })
}

const id = (suffix: string) => `{{input.id}}-${suffix}`
const write = step('r.write', 'write')
const tools = [
  step('r.read', 'read'),
  write,
  step('r.ask', 'write', { approval: 'always' }),
  step('r.secret', 'read', { labels: { reads: ['private', 'untrusted'] } }),
  step('r.send', 'write', { labels: { effects: 'external' }, openWorld: true }),
  defineComposition({
    name: 'r.order',
    description: 'Finds, pays, writes notes and mails.',
    effect: 'write',
    inputSchema: z.object({ id: z.string() }),
    steps: [
      { id: 'find', tool: 'r.read', input: { id: id('find') } },
      { id: 'pay', tool: 'r.write', input: { id: id('pay') } },
      {
        id: 'notes',
        tool: 'r.write',
        after: ['find'],
        each: ['0', '1', '2'],
        input: { id: id('note{{item}}') },
      },
      { id: 'mail', tool: 'r.write', after: ['pay'], input: { id: id('mail') } },
      {
        id: 'end',
        tool: 'r.write',
        after: ['mail', 'notes'],
        input: { id: id('end') },
      },
    ],
    output: { pay: '{{steps.pay.output.run}}', mail: '{{steps.mail.output.run}}' },
  }),
  defineComposition({
    name: 'r.tells',
    description: 'Reads what is private, and sends it out.',
    effect: 'write',
    inputSchema: z.object({ id: z.string() }),
    steps: [
      { id: 'read', tool: 'r.secret', input: { id: id('read') } },
      { id: 'send', tool: 'r.send', input: { id: id('send') } },
    ],
  }),
  defineComposition({
    name: 'r.asked',
    description: 'Writes, asks a person, and writes.',
    effect: 'write',
    inputSchema: z.object({ id: z.string() }),
    steps: [
      { id: 'first', tool: 'r.write', input: { id: id('first') } },
      { id: 'ask', tool: 'r.ask', input: { id: id('ask') } },
      { id: 'last', tool: 'r.write', input: { id: id('last') } },
    ],
  }),
]

type Rerunning = { as?: Caller; input?: JsonValue }

const open = {
  pglite: (): Promise<Crib> => createTestCrib({ tools }),
  async postgres(): Promise<Crib> {
    const { url, drop } = await createTempDatabase()
    const data = await createTempFolder()
    const crib = await createCrib({
      config: { tools: [] },
      env: {},
      onWarning: () => undefined,
      data: data.path,
      database: url,
      tools,
    })
    const close = async () => {
      await crib.close()
      await drop()
      await data.remove()
    }
    return { ...crib, close }
  },
}

describe.each(['pglite', 'postgres'] as const)('running again from a step on %s', (kind) => {
  let crib: Crib
  beforeAll(async () => {
    crib = await open[kind]()
  })
  afterAll(() => crib.close())
  beforeEach(() => {
    made = []
    failing.clear()
  })

  const call = async (tool: string, input: JsonValue) => {
    const { callId = '', status } = await crib.call(tool, input)
    return { callId, status }
  }
  const rerun = (callId: string, from: string, { as = owner, ...more }: Rerunning = {}) =>
    crib.api.rerunCall(as, { id: callId, from, ...more })
  const steps = async (callId: string, from?: string) =>
    (await crib.api.listCallSteps(owner, { id: callId, ...(from && { from }) })).items
  const settled = (callId = '') => crib.api.findCall(owner, { id: callId, wait: 30 })

  test('the step and those after it run; nothing else has its effect twice', async () => {
    failing.add('a-mail')
    const first = await call('r.order', { id: 'a' })
    expect(first.status).toBe('failed')
    failing.clear()
    made = []
    const again = await rerun(first.callId, 'mail')
    expect([again.status, again.output]).toEqual(['completed', { pay: 1, mail: 1 }])
    expect(made).toEqual(['a-mail', 'a-end'])
    const record = await settled(again.callId)
    expect([record.rerunOf, record.rerunFrom]).toEqual([first.callId, 'mail'])
    expect(record.toolVersion).toBe((await settled(first.callId)).toolVersion)
    const shown = await steps(again.callId ?? '')
    expect(shown.map(({ id: step, state, isKept, total }) => [step, state, isKept, total])).toEqual(
      [
        ['find', 'completed', true, undefined],
        ['pay', 'completed', true, undefined],
        ['notes', 'completed', true, 3],
        ['mail', 'completed', false, undefined],
        ['end', 'completed', false, undefined],
      ],
    )
  })

  test('a rerun of a rerun keeps the results of both', async () => {
    const { callId } = await call('r.order', { id: 'b' })
    const second = await rerun(callId, 'mail')
    made = []
    const third = await rerun(second.callId ?? '', 'end')
    expect([third.status, third.output, made]).toEqual([
      'completed',
      { pay: 1, mail: 2 },
      ['b-end'],
    ])
  })

  test('a list runs again for the items that have no result, beside the step it starts from', async () => {
    failing.add('c-note1')
    const first = await call('r.order', { id: 'c' })
    expect(first.status).toBe('failed')
    failing.clear()
    made = []
    const before = await steps(first.callId, 'end')
    expect(before.filter(({ runsAgain }) => runsAgain).map((one) => one.id)).toContain('notes')
    expect((await rerun(first.callId, 'end')).status).toBe('completed')
    expect(made).toContain('c-note1')
    for (const kept of ['c-find', 'c-pay', 'c-note0']) expect(made).not.toContain(kept)
  })

  test('other input is used by the steps that run, not by those that are kept', async () => {
    const { callId } = await call('r.order', { id: 'd' })
    made = []
    expect((await rerun(callId, 'mail', { input: { id: 'other' } })).status).toBe('completed')
    expect(made).toEqual(['other-mail', 'other-end'])
  })

  test('it waits for a person again, and keeps what it took while it waits', async () => {
    const { callId } = await call('r.asked', { id: 'e' })
    await crib.api.cancelCall(owner, { id: callId })
    made = []
    const again = await rerun(callId, 'ask')
    expect(again.status).toBe('waiting')
    expect((await steps(again.callId ?? '')).map(({ state }) => state)).toEqual([
      'completed',
      'asking',
      'pending',
    ])
    const { items } = await crib.api.listApprovals(owner, { status: 'pending' })
    await crib.api.decideApproval(owner, { id: items[0]?.id ?? '', decision: 'approve' })
    expect((await settled(again.callId)).status).toBe('completed')
    expect(made).toEqual(['e-ask', 'e-last'])
  })

  test('one that answers later is stored, and runs the same way', async () => {
    const { callId } = await call('r.order', { id: 'f' })
    made = []
    const asked = { id: callId, from: 'end' }
    const { callId: later } = await crib.api.rerunCall(owner, asked, { respondAsync: true })
    expect((await settled(later)).status).toBe('completed')
    expect(made).toEqual(['f-end'])
  })

  test('what was kept of private data still asks before it leaves', async () => {
    const { callId, status } = await call('r.tells', { id: 'p' })
    expect(status).toBe('waiting')
    await crib.api.cancelCall(owner, { id: callId })
    made = []
    const again = await rerun(callId, 'send')
    expect([again.status, made]).toEqual(['waiting', []])
    expect((await steps(again.callId ?? '')).map(({ state }) => state)).toEqual([
      'completed',
      'asking',
    ])
    await crib.api.cancelCall(owner, { id: again.callId ?? '' })
  })

  test('two at once each run the steps, and only those', async () => {
    const { callId } = await call('r.order', { id: 'g' })
    made = []
    const both = await Promise.all([rerun(callId, 'end'), rerun(callId, 'end')])
    expect(both.map(({ status }) => status)).toEqual(['completed', 'completed'])
    expect(made).toEqual(['g-end', 'g-end'])
  })

  test('a refusal says why', async () => {
    const { callId } = await call('r.order', { id: 'h' })
    await expect(rerun(callId, 'mial')).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('did you mean "mail"?'),
    })
    const plain = await call('r.write', { id: 'h' })
    await expect(rerun(plain.callId, 'mail')).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'r.write is not a composition, so it has no steps',
    })
    const open = await call('r.asked', { id: 'h' })
    await expect(rerun(open.callId, 'ask')).rejects.toMatchObject({
      code: 'conflict',
      message: `${open.callId} is waiting`,
    })
    await crib.api.cancelCall(owner, { id: open.callId })
  })

  test('whoever may not see the tool gets the answer of any call of it', async () => {
    const { callId } = await call('r.order', { id: 'i' })
    const other: Caller = { ...owner, permissions: ['audit.read'] }
    await expect(rerun(callId, 'mail', { as: other })).rejects.toMatchObject({ code: 'forbidden' })
    const stranger: Caller = {
      ...owner,
      principal: { kind: 'user', id: 'stranger' },
      permissions: ['tools.call'],
    }
    await expect(rerun(callId, 'mail', { as: stranger })).rejects.toMatchObject({
      code: 'not_found',
    })
    const listed = crib.api.listCallSteps(stranger, { id: callId })
    await expect(listed).rejects.toMatchObject({ code: 'not_found' })
  })
})
