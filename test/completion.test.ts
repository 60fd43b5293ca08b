import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Crib } from '../src/app/index.ts'
import type { CallRecord, Completion } from '../src/core/kernel/call.ts'
import type { CribEvent } from '../src/core/events/event.ts'
import { createHttpApp, type HttpApp } from '../src/doors/http/create-http-app.ts'
import type { OpenStores } from '../src/features/open-stores.ts'
import { createTestCrib } from '../src/testing/index.ts'
import { freshStore } from '../src/testing/fresh-store.fixture.ts'
import { handed, opened, tools } from './fixtures/outside-tools.ts'

let crib: Crib
let app: HttpApp

/** Calls the tool and waits until its work was handed over. */
async function start(tool: string, more: { job?: string; fail?: string; hold?: boolean } = {}) {
  const job = more.job ?? `job ${handed.size}`
  const result = await crib.call(tool, { ...more, job })
  await until(() => handed.has(job))
  const completion = handed.get(job)
  if (completion === undefined || result.callId === undefined) throw new Error('not handed over')
  return { callId: result.callId, token: completion.token }
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 30_000
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error('it did not happen in time')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

const find = (callId: string) => crib.api.findCall(owner, { id: callId })
const settled = (callId: string) => crib.api.findCall(owner, { id: callId, wait: 8 })
const isWaiting = async (callId: string) => (await find(callId)).status === 'waiting'
const owner = {
  tenant: 'default',
  principal: { kind: 'user', id: 'owner' },
  permissions: ['*'],
  runtime: 'api',
} as const

interface Sent {
  body?: unknown
  type?: string
  path?: string
}

async function post(callId: string, token: string | undefined, sent: Sent) {
  const { body, type = 'application/json', path = 'complete' } = sent
  const isRaw = typeof body === 'string' || body instanceof Uint8Array
  const response = await app.request(`/api/v1/calls/${callId}/${path}`, {
    method: 'POST',
    headers: {
      'content-type': type,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: isRaw ? (body as string) : JSON.stringify(body),
  })
  const text = await response.text()
  const answer = (text === '' ? {} : JSON.parse(text)) as { code?: string; detail?: string }
  return { status: response.status, ...answer }
}

/** Of this call, or about it. */
async function eventsOf(
  callId: string,
  types?: readonly CribEvent['type'][],
): Promise<CribEvent[]> {
  const events: CribEvent[] = []
  for await (const event of crib.events({ types })) {
    const about = event.callId ?? (event.data as { callId?: string } | null)?.callId
    if (about === callId) events.push(event)
  }
  return events
}

const done = { status: 'completed', response: { pages: 3 } }
const taken = { status: 202, accepted: true, pending: 0, continued: false }

describe('a call that is completed from outside', () => {
  beforeAll(async () => {
    crib = await createTestCrib({ tools })
    app = createHttpApp({ api: crib.api, version: '0', limits: { maxBodyBytes: 4096 } })
  })
  afterAll(() => crib.close())

  test('the first end stays, the same again is refused, and the record tells all of it', async () => {
    const { callId, token } = await start('outside.write')
    expect(await post(callId, token, { body: done })).toEqual(taken)
    expect(await post(callId, token, { body: done })).toMatchObject({
      status: 409,
      code: 'already_settled',
    })
    const failed = { status: 'failed', error: 'no' }
    expect(await post(callId, token, { body: failed })).toMatchObject({ status: 409 })
    const record = await find(callId)
    expect([record.status, record.output]).toEqual(['completed', { pages: 3 }])
    const told = await eventsOf(callId)
    expect(told.at(-1)?.type).toBe('call.completed')
    expect(JSON.stringify(told)).not.toContain(token)
    expect(await eventsOf(callId, ['completion.late'])).toEqual([])
  })

  test('unknown ids, wrong tokens and calls that have not begun get one answer', async () => {
    const { callId, token } = await start('outside.write')
    const other = await start('outside.write', { job: 'other' })
    const unknown = `call_${'0'.repeat(32)}`
    const later = await crib.call('outside.write', { job: 'later' }, { delay: 60 })
    const answers = [
      await post(unknown, token, { body: done }),
      await post('nonsense', token, { body: done }),
      await post(callId, 'done_wrong', { body: done }),
      await post(callId, other.token, { body: done }),
      await post(later.callId ?? '', token, { body: done }),
      // Before the body is looked at, which is nobody's business without the token.
      await post(callId, 'done_wrong', { body: 'x'.repeat(10_000), type: 'application/json' }),
    ]
    for (const answer of answers) expect(answer).toMatchObject({ status: 404, code: 'not_found' })
    expect(new Set(answers.map(({ detail }) => detail)).size).toBe(1)
    expect(await post(callId, undefined, { body: done })).toMatchObject({ status: 401 })
    expect((await find(callId)).settledAt).toBeUndefined()
  })

  test('an invalid report is refused and changes nothing', async () => {
    const { callId, token } = await start('outside.write')
    const bodies: [unknown, number][] = [
      [{ status: 'failed' }, 400],
      [{ status: 'failed', error: '' }, 400],
      [{ status: 'failed', error: 'x', response: 1 }, 400],
      [{ status: 'completed', error: 'x' }, 400],
      [{ status: 'done' }, 400],
      ['{"status":', 400],
      [[], 400],
    ]
    for (const [body, status] of bodies) {
      expect([body, (await post(callId, token, { body })).status]).toEqual([body, status])
    }
    const form = { body: 'a=b', type: 'application/x-www-form-urlencoded' }
    expect(await post(callId, token, form)).toMatchObject({ status: 415 })
    expect(await post(callId, token, { body: done })).toEqual(taken)
  })

  test('a failure has the words of the worker, without the secrets of the call', async () => {
    await crib.api.writeSecret(owner, { name: 'press_key', value: 'hunter2-hunter2' })
    const { callId, token } = await start('outside.secret')
    const error = `401 for hunter2-hunter2 and ${token}`
    expect(await post(callId, token, { body: { status: 'failed', error } })).toEqual(taken)
    expect((await find(callId)).error).toEqual({
      code: 'tool_failed',
      message: '401 for [redacted:press_key] and [redacted:completion.token]',
      retryable: false,
    })
  })

  test('a large response is cut, kept as an artifact and free of secrets', async () => {
    await crib.api.writeSecret(owner, { name: 'press_key', value: 'hunter2-hunter2' })
    const { callId, token } = await start('outside.secret')
    const response = { pages: Array.from({ length: 500 }, () => 'a hunter2-hunter2 page') }
    expect(await post(callId, token, { body: { status: 'completed', response } })).toEqual(taken)
    const record = await find(callId)
    expect(record.output).toMatchObject({ truncated: true })
    const page = await crib.api.readArtifact(owner, { id: callId, offset: 0, limit: 1_000_000 })
    const kept = JSON.parse(new TextDecoder().decode(page.chunk)) as unknown
    expect(kept).toEqual({ pages: Array(500).fill('a [redacted:press_key] page') })
  })

  test('a file is kept as it is, with its type, and the output refers to it', async () => {
    const { callId, token } = await start('outside.secret')
    const bytes = Uint8Array.from({ length: 700_000 }, (_, index) => (index * 31) % 256)
    const sent = { body: bytes, type: 'image/png', path: 'complete?status=completed' }
    expect(await post(callId, token, sent)).toEqual(taken)
    const { output, artifact } = await find(callId)
    expect(artifact).toEqual({ id: artifact?.id, bytes: 700_000, mediaType: 'image/png' })
    expect(output).toEqual({ artifact })
    const page = await crib.api.readArtifact(owner, { id: callId, offset: 262_000, limit: 500 })
    expect([...page.chunk]).toEqual([...bytes.subarray(262_000, 262_500)])
  })

  test('a secret in a file is replaced, in text and in bytes', async () => {
    await crib.api.writeSecret(owner, { name: 'press_key', value: 'schlüssel-42' })
    for (const type of ['text/csv', 'application/octet-stream']) {
      const { callId, token } = await start('outside.secret')
      const body = new TextEncoder().encode('a;schlüssel-42;b')
      expect(await post(callId, token, { body, type })).toEqual(taken)
      expect((await find(callId)).warnings).toEqual([
        'The file contained a secret, which was replaced',
      ])
      const { chunk } = await crib.api.readArtifact(owner, { id: callId, offset: 0, limit: 100 })
      expect(new TextDecoder().decode(chunk)).toBe('a;[redacted:press_key];b')
    }
  })

  test('a response that breaks the output schema fails a read and warns about an effect', async () => {
    const body = { status: 'completed', response: { pages: 'many' } }
    const read = await start('outside.read', { job: 'read' })
    expect(await post(read.callId, read.token, { body })).toEqual(taken)
    expect((await find(read.callId)).error?.code).toBe('output_invalid')
    const write = await start('outside.write', { job: 'write' })
    expect(await post(write.callId, write.token, { body })).toEqual(taken)
    const record = await find(write.callId)
    expect([record.status, record.output]).toEqual(['completed', { pages: 'many' }])
    expect(record.warnings?.[0]).toContain("does not match the tool's output schema")
  })

  test('a worker that is done before the tool has let go wins', async () => {
    const { callId, token } = await start('outside.write', { job: 'held', hold: true })
    expect((await find(callId)).status).toBe('running')
    expect(await post(callId, token, { body: done })).toEqual(taken)
    opened.get('held')?.()
    await new Promise((resolve) => setTimeout(resolve, 100))
    const record = await find(callId)
    expect([record.status, record.output]).toEqual(['completed', { pages: 3 }])
  })

  test('the token of an attempt that was given up opens nothing any more', async () => {
    const job = 'again'
    const { callId, token } = await start('outside.again', { job })
    const first = handed.get(`${job} 1`)?.token
    expect(await post(callId, first, { body: done })).toMatchObject({ status: 404 })
    expect(await post(callId, token, { body: done })).toEqual(taken)
  })

  test('without a known schema, the output is accepted with a warning', async () => {
    const { callId, token } = await start('outside.made', { job: 'made' })
    expect(await post(callId, token, { body: { status: 'completed', response: 'odd' } })).toEqual(
      taken,
    )
    const { output, warnings } = await find(callId)
    expect([output, warnings]).toEqual([
      'odd',
      ['The output was not checked against a schema: its schema is created for each call'],
    ])
  })

  test('a throw while handing over fails the call, and the worker comes too late', async () => {
    const { callId, token } = await start('outside.write', { fail: 'the press is away' })
    expect((await settled(callId)).error?.code).toBe('upstream_failed')
    expect(await post(callId, token, { body: done })).toMatchObject({ status: 409 })
  })

  test('after the deadline the call has failed; a late report is noted once and changes nothing', async () => {
    const { callId, token } = await start('outside.short')
    expect((await settled(callId)).error?.code).toBe('timeout')
    for (const _ of [1, 2, 3]) {
      expect(await post(callId, token, { body: done })).toMatchObject({ status: 409 })
    }
    expect((await find(callId)).status).toBe('failed')
    const late = await eventsOf(callId, ['completion.late'])
    const data = { callId, tool: 'outside.short', status: 'completed', output: { pages: 3 } }
    expect(late.map((event) => event.data)).toEqual([data])
  })

  test('of many who complete at once one is accepted, and its value and artifact stay', async () => {
    const { callId, token } = await start('outside.secret')
    const all = Array.from({ length: 12 }, (_, index) => index)
    const answers = await Promise.all(
      all.map((index) =>
        post(callId, token, {
          body: { status: 'completed', response: { index, filler: 'x'.repeat(4000) } },
        }),
      ),
    )
    const winners = all.filter((index) => answers[index]?.status === 202)
    expect(winners).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(11)
    const { chunk } = await crib.api.readArtifact(owner, { id: callId, offset: 0, limit: 9000 })
    const kept = JSON.parse(new TextDecoder().decode(chunk)) as { index: number }
    expect(kept.index).toBe(winners[0])
    expect(await eventsOf(callId, ['completion.late'])).toEqual([])
  })

  test('progress is accepted until the call has settled; then the worker is asked to stop', async () => {
    const { callId, token } = await start('outside.write')
    const path = 'progress'
    const report = (body: unknown) => post(callId, token, { body, path })
    expect(await report({ done: 1, total: 2, message: `half ${token}` })).toEqual({ status: 204 })
    expect((await report({ half: true })).status).toBe(400)
    expect((await post(callId, 'done_x', { body: { done: 1 }, path })).status).toBe(404)
    await post(callId, token, { body: done })
    const told = await eventsOf(callId, ['call.output', 'call.completed'])
    expect(told.map(({ type, data }) => [type, type === 'call.output' ? data : null])).toEqual([
      [
        'call.output',
        { progress: { done: 1, total: 2, message: 'half [redacted:completion.token]' } },
      ],
      ['call.completed', null],
    ])
    expect(await report({ done: 2 })).toMatchObject({ status: 409, code: 'already_settled' })
  })

  test('a cancelled call tells its worker so', async () => {
    const { callId, token } = await start('outside.write')
    await until(() => isWaiting(callId))
    await crib.api.cancelCall(owner, { id: callId })
    expect(await post(callId, token, { body: { done: 1 }, path: 'progress' })).toMatchObject({
      status: 409,
    })
    expect(await post(callId, token, { body: done })).toMatchObject({ status: 409 })
    expect(await eventsOf(callId, ['completion.late'])).toHaveLength(1)
  })

  test('a tool that calls it waits in storage and continues with the outside result', async () => {
    const parent = crib.call('outside.parent', { job: 'nested' }, { wait: 8 })
    await until(() => handed.has('nested'))
    const url = new URL(handed.get('nested')?.url ?? '')
    const callId = url.pathname.split('/').at(-2) ?? ''
    await until(() => isWaiting(callId))
    const { parentId = '' } = await find(callId)
    await until(() => isWaiting(parentId))
    expect((await find(parentId)).waitingFor).toBe('call')
    await post(callId, handed.get('nested')?.token, { body: done })
    expect(await parent).toMatchObject({ status: 'completed', output: { doubled: 6 } })
  })

  test('a stream stays open until somebody outside has completed the call', async () => {
    const response = await app.request('/api/v1/tools/outside.write/calls', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        authorization: `Bearer ${(await crib.api.createKey(owner, { name: 'k', scopes: ['*'] })).token}`,
      },
      body: JSON.stringify({ input: { job: 'streamed' } }),
    })
    expect(response.status).toBe(200)
    await until(() => handed.has('streamed'))
    const { token, url } = handed.get('streamed') as Completion
    const callId = url.split('/').at(-2) ?? ''
    await post(callId, token, { body: { done: 1, total: 4 }, path: 'progress' })
    await post(callId, token, { body: done })
    const text = await response.text()
    expect(text).toContain('"progress":{"done":1,"total":4}')
    expect(text).toContain('event: result\ndata: {"callId"')
    expect(text).toContain('"output":{"pages":3}')
  })
})

test('a node without the tool takes the answer, and looks for every secret of the tenant', async () => {
  const store = await freshStore()
  crib = await createTestCrib({ tools, store })
  const { callId, token } = await start('outside.secret', { job: 'elsewhere' })
  const other = await createTestCrib({ store })
  await other.api.writeSecret(owner, { name: 'another', value: 'swordfish-9' })
  const report = { status: 'completed', response: 'it is swordfish-9' } as const
  await other.api.complete(callId, token, async () => report)
  const { output, warnings } = await find(callId)
  expect([output, warnings]).toEqual([
    'it is [redacted:another]',
    ['The output was not checked against a schema: this node does not have the tool'],
  ])
  await other.close()
  await crib.close()
})

test('a call that is cancelled while it is handed over is cancelled', async () => {
  const whole = await freshStore()
  const cancelling = Promise.withResolvers<CallRecord>()
  const store: OpenStores = {
    ...whole,
    calls: {
      ...whole.calls,
      wait(tenant, callId, from) {
        crib.api.cancelCall(owner, { id: callId }).then(cancelling.resolve, cancelling.reject)
        return whole.calls.wait(tenant, callId, from)
      },
    },
  }
  crib = await createTestCrib({ tools, store })
  await start('outside.write', { job: 'cancelled' })
  expect((await cancelling.promise).status).toBe('cancelled')
  await crib.close()
})
