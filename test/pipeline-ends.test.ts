import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type CallContext,
  type Crib,
  type CribEvent,
  defineTool,
  ToolError,
  z,
} from '../src/app/index.ts'
import type { OpenStores } from '../src/features/open-stores.ts'
import { createTestCrib } from '../src/testing/index.ts'
import { freshStore } from '../src/testing/fresh-store.fixture.ts'
import type { Tool } from '../src/core/kernel/tool.ts'

const owner = {
  tenant: 'default',
  principal: { kind: 'user', id: 'owner' },
  permissions: ['*'],
  runtime: 'api',
} as const
const token = 'sup3rS3cretValue!42'

let effects: string[]
let crib: Crib
let store: OpenStores
beforeEach(async () => {
  effects = []
  store = await freshStore()
})
afterEach(() => crib.close())

interface Behaviour {
  effect?: 'read' | 'write'
  timeoutMs?: number
  secrets?: string[]
  execution?: 'inline' | 'background'
  execute(input: Record<string, unknown>, context: CallContext): unknown
}

function tool(name: string, { effect = 'write', ...behaviour }: Behaviour) {
  return defineTool({
    name,
    description: 'A tool for the tests of how calls end.',
    effect,
    inputSchema: z.looseObject({}),
    ...behaviour,
  })
}

const noteEffect = tool('note.effect', {
  execute: () => {
    effects.push('effect')
    return 'done'
  },
})

async function open(...tools: Tool[]): Promise<Crib> {
  crib = await createTestCrib({ tools, store })
  return crib
}

async function everythingAbout(callId: string | undefined): Promise<string> {
  const events: CribEvent[] = []
  for await (const event of crib.events({})) events.push(event)
  return JSON.stringify([events, callId && (await crib.api.findCall(owner, { id: callId }))])
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe('a call that is over takes no effect', () => {
  test('when its caller had cancelled before it began', async () => {
    await open(noteEffect)
    const { status } = await crib.call('note.effect', {}, { signal: AbortSignal.abort() })
    expect([status, effects]).toEqual(['cancelled', []])
  })

  test('when the call that asks for it has timed out, or has long ended', async () => {
    let later: Promise<unknown> = Promise.resolve()
    const zombie = tool('zombie.late', {
      timeoutMs: 30,
      async execute(_input, { call }) {
        later = sleep(80).then(() => call('note.effect', {}))
        await later
      },
    })
    const ended = tool('zombie.ended', {
      execute: (_input, { call }) => {
        later = sleep(20).then(() => call('note.effect', {}))
        return 'done'
      },
    })
    await open(noteEffect, zombie, ended)
    expect((await crib.call('zombie.late')).error?.code).toBe('timeout')
    await expect(later).rejects.toThrow(/30 ms/)
    expect((await crib.call('zombie.ended')).status).toBe('completed')
    await expect(later).rejects.toThrow(/has ended/)
    expect(effects).toEqual([])
  })

  test('when it is cancelled on its way out of the queue', async () => {
    const { start } = store.calls
    store = {
      ...store,
      calls: { ...store.calls, start: (...args) => sleep(60).then(() => start(...args)) },
    }
    await open(noteEffect)
    const { callId = '' } = await crib.call('note.effect', {}, { respondAsync: true })
    await sleep(10)
    expect((await crib.api.cancelCall(owner, { id: callId })).status).toBe('cancelled')
    expect(effects).toEqual([])
  })
})

describe('a secret stays out', () => {
  const ends: Record<string, ReturnType<typeof tool>> = {
    'of the error that making the tool throws': defineTool({
      name: 'leak.create',
      description: 'Fails with its secret while it is made.',
      effect: 'read',
      secrets: ['key'],
      create({ secrets }) {
        throw new Error(`bad key ${secrets['key']}`)
      },
    }),
    'of warnings about what could not be kept': tool('leak.warning', {
      secrets: ['key'],
      execute: (_input, { secrets }) => ({ [secrets['key'] ?? '']: () => 1 }),
    }),
    'of the places and ways out that an error names': tool('leak.issues', {
      secrets: ['key'],
      execute(_input, { secrets }) {
        const at = secrets['key'] ?? ''
        throw new ToolError('upstream_failed', 'no', {
          issues: [{ path: `/${at}`, message: at }],
          fix: at,
        })
      },
    }),
    'where a long message is cut through it': tool('leak.cut', {
      secrets: ['key'],
      execute(_input, { secrets, progress }) {
        progress({ message: 'x'.repeat(1000 - 15) + secrets['key'] })
        throw new Error('x'.repeat(4000 - 15) + secrets['key'])
      },
    }),
    'of what another tool is given': tool('leak.nested', {
      secrets: ['key'],
      execute: (_input, { secrets, call }) => call('note.effect', { with: secrets['key'] }),
    }),
  }
  test.each(Object.keys(ends))('%s', async (where) => {
    const leaking = ends[where] as ReturnType<typeof tool>
    await open(noteEffect, leaking)
    await crib.api.writeSecret(owner, { name: 'key', value: token })
    const result = await crib.call(
      leaking.contract.name,
      {},
      { onOutput: (update) => effects.push(JSON.stringify(update)) },
    )
    const everything = JSON.stringify([result, effects]) + (await everythingAbout(result.callId))
    expect(everything).not.toContain(token)
    expect(everything).not.toContain(token.slice(0, 15))
  })

  test('and a call whose input held it is not repeated with what is left of it', async () => {
    const pays = tool('pay.again', {
      secrets: ['key'],
      execute: ({ to }) => effects.push(String(to)),
    })
    await open(pays)
    await crib.api.writeSecret(owner, { name: 'key', value: token })
    const { callId = '' } = await crib.call('pay.again', { to: token })
    await expect(crib.api.rerunCall(owner, { id: callId })).rejects.toMatchObject({
      code: 'invalid_request',
    })
    await crib.api.rerunCall(owner, { id: callId, input: { to: 'somebody' } })
    expect(effects).toEqual([token, 'somebody'])
  })

  test('of the input of a call that is put to a person, and of the key it is compared by', async () => {
    const asks = defineTool({
      name: 'ask.first',
      description: 'Needs a person before it does anything.',
      effect: 'write',
      approval: 'always',
      secrets: ['key'],
      inputSchema: z.looseObject({}),
      execute: () => 'done',
    })
    const keyed = tool('pay.once', { secrets: ['key'], execute: () => effects.push('paid') })
    await open(asks, keyed)
    await crib.api.writeSecret(owner, { name: 'key', value: token })
    const asked = await crib.call('ask.first', { said: token })
    expect(asked.status).toBe('waiting')
    expect(await everythingAbout(asked.callId)).not.toContain(token)
    // The same input under another secret is still the same input.
    const first = await crib.call('pay.once', { to: token }, { idempotencyKey: 'k' })
    await crib.api.writeSecret(owner, { name: 'key', value: 'another-secret-value' })
    const again = await crib.call('pay.once', { to: token }, { idempotencyKey: 'k' })
    expect([again, effects]).toEqual([first, ['paid']])
  })
})

describe('every end is an end', () => {
  test.each([
    [
      'a message that is no text',
      () => Object.assign(new Error('x'), { message: { detail: 1 } }),
      'tool_crashed',
    ],
    [
      'issues that are no list',
      () =>
        Object.assign(new ToolError('not_found', 'x'), {
          issues: 'all',
          fix: 12,
          retryable: 'yes',
        }),
      'not_found',
    ],
    [
      'a thing that can not be shown',
      () => ({
        toString: () => {
          throw new Error('no')
        },
      }),
      'tool_crashed',
    ],
    ['its own cancellation', () => new ToolError('cancelled', 'I stop'), 'tool_failed'],
  ])('also of a tool that throws %s', async (...[, make, code]) => {
    await open(tool('throws.odd', { execute: () => Promise.reject(make()) }))
    const result = await crib.call('throws.odd')
    expect([result.status, result.error?.code, typeof result.error?.message]).toEqual([
      'failed',
      code,
      'string',
    ])
    expect((await crib.api.findCall(owner, { id: result.callId ?? '' })).status).toBe('failed')
  })

  test('also of one that is made and never ready', async () => {
    const never = defineTool({
      name: 'made.never',
      description: 'Is never ready to be used.',
      effect: 'read',
      timeoutMs: 40,
      create: () => new Promise<never>(() => undefined),
    })
    await open(never)
    expect((await crib.call('made.never')).error?.code).toBe('timeout')
  })

  test('one that holds the thread past its time has not made it, and is not worth a second try', async () => {
    const blocks = tool('holds.thread', {
      timeoutMs: 20,
      execute: () => {
        const until = performance.now() + 60
        while (performance.now() < until);
        return 'late'
      },
    })
    await open(blocks)
    const { error } = await crib.call('holds.thread')
    expect([error?.code, error?.retryable]).toEqual(['timeout', false])
  })

  test('a nested background tool is waited for', async () => {
    const background = tool('back.ground', {
      execution: 'background',
      execute: () => sleep(30).then(() => 7),
    })
    const asks = tool('asks.it', { execute: (_input, { call }) => call('back.ground', {}) })
    await open(background, asks)
    expect((await crib.call('asks.it')).output).toBe(7)
  })

  test('a queued call is started when the database answers again', async () => {
    let failures = 2
    const { start } = store.calls
    store = {
      ...store,
      calls: {
        ...store.calls,
        start: (...args) => (failures-- > 0 ? Promise.reject(new Error('gone')) : start(...args)),
      },
    }
    await open(noteEffect)
    const { callId = '' } = await crib.call('note.effect', {}, { respondAsync: true })
    const call = await crib.api.findCall(owner, { id: callId, wait: 3 })
    expect([call.status, effects]).toEqual(['completed', ['effect']])
  })

  test('closing waits for a call that is only being recorded', async () => {
    const { open: openCall } = store.calls
    store = {
      ...store,
      calls: { ...store.calls, open: (start) => sleep(80).then(() => openCall(start)) },
    }
    await open(noteEffect)
    const result = crib.call('note.effect')
    await crib.close()
    expect([effects, (await result).status]).toEqual([['effect'], 'completed'])
  })

  test('audit fields and running text are kept within bounds', async () => {
    const chatty = tool('talks.much', {
      effect: 'read',
      execute(_input, { log, progress }) {
        log({ all: 'x'.repeat(5_000_000) })
        for (let turn = 0; turn < 40; turn += 1) progress({ text: 'y'.repeat(100_000) })
      },
    })
    await open(chatty)
    const { callId } = await crib.call('talks.much')
    expect((await everythingAbout(callId)).length).toBeLessThan(1_300_000)
  })
})
