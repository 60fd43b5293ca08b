import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { defineTool, z } from '../../src/app/index.ts'
import type { Caller } from '../../src/core/kernel/call.ts'
import type { OutboxMessage } from '../../src/core/approvals/approval.ts'
import { createOutboxSweep } from '../../src/features/approvals/outbox/outbox-sweep.ts'
import { postOutboxMessage } from '../../src/features/approvals/outbox/post-webhook.ts'
import { createTestCrib } from '../../src/testing/index.ts'
import type { OpenStores } from '../../src/features/open-stores.ts'
import { freshStore } from '../../src/testing/fresh-store.fixture.ts'

const owner: Caller = {
  tenant: 'default',
  principal: { kind: 'user', id: 'owner' },
  permissions: ['*'],
  runtime: 'api',
}
const refund = defineTool({
  name: 'billing.refund',
  description: 'Refunds.',
  effect: 'write',
  approval: 'always',
  secrets: [{ key: 'stripe_key', optional: true }],
  inputSchema: z.object({ note: z.string() }),
  execute: () => 'done',
})

interface Got {
  headers: IncomingHttpHeaders
  body: string
}

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

/** Listens for notices; `answer` decides on each, 204 unless it does. */
async function listen(answer: (response: ServerResponse, count: number) => void = () => undefined) {
  const got: Got[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      got.push({ headers: request.headers, body })
      answer(response, got.length)
      if (!response.writableEnded && !response.headersSent) response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  )
  return { got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` }
}

async function until(isSo: () => boolean): Promise<void> {
  await expect.poll(isSo, { timeout: 60_000 }).toBe(true)
}

async function openCrib(url: string, store?: OpenStores) {
  const crib = await createTestCrib({
    tools: [refund],
    store,
    env: { HOOK_SECRET: `whsec_${Buffer.from('secret').toString('base64')}` },
    config: {
      approvals: { webhook: { url, secretEnv: 'HOOK_SECRET' } },
      server: { publicUrl: 'https://crib.example' },
    },
  })
  closers.push(crib.close)
  return crib
}

test('a webhook announces a waiting call, signed, with links and without secrets', async () => {
  const { got, url } = await listen()
  const crib = await openCrib(url)
  await crib.api.writeSecret(owner, { name: 'stripe_key', value: 'sk_live_4242' })
  const { approvalId = '', callId } = await crib.call('billing.refund', { note: 'sk_live_4242' })
  await until(() => got.length > 0)
  const [{ headers, body } = { headers: {}, body: '' }] = got
  expect(body).not.toContain('sk_live_4242')
  expect(JSON.parse(body)).toMatchObject({
    type: 'approval.requested',
    data: {
      approval: {
        id: approvalId,
        tool: 'billing.refund',
        input: { note: '[redacted:stripe_key]' },
      },
      links: {
        approval: `https://crib.example/api/v1/approvals/${approvalId}`,
        decision: `https://crib.example/api/v1/approvals/${approvalId}/decision`,
        call: `https://crib.example/api/v1/calls/${callId}`,
      },
    },
  })
  const signed = [headers['webhook-id'], headers['webhook-timestamp'], body].join('.')
  const signature = createHmac('sha256', 'secret').update(signed).digest('base64')
  expect([headers['webhook-id'], headers['webhook-signature']]).toEqual([
    approvalId,
    `v1,${signature}`,
  ])
  await new Promise((resolve) => setTimeout(resolve, 1200))
  expect(got).toHaveLength(1)
})

test('a failure is tried again under the same id, a redirect is not followed, a huge answer is cut off', async () => {
  const target = await listen()
  const { got, url } = await listen((response, count) => {
    if (count === 1) response.writeHead(500).end()
    if (count === 2) response.writeHead(307, { location: target.url }).end()
    if (count === 3) response.writeHead(200).write('x'.repeat(1_000_000))
  })
  const crib = await openCrib(url)
  await crib.call('billing.refund', { note: 'a' })
  await until(() => got.length >= 3)
  expect(new Set(got.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  await new Promise((resolve) => setTimeout(resolve, 1500))
  expect([got.length, target.got.length]).toEqual([3, 0])
})

test('what was decided meanwhile is not told any more', async () => {
  const { got, url } = await listen((response) => response.writeHead(500).end())
  const crib = await openCrib(url)
  const { approvalId = '' } = await crib.call('billing.refund', { note: 'a' })
  await until(() => got.length > 0)
  await crib.api.decideApproval(owner, { id: approvalId, decision: 'reject' })
  const before = got.length
  await new Promise((resolve) => setTimeout(resolve, 3500))
  expect(got.length).toBe(before)
})

test('after a day it is given up, which is on record', async () => {
  const { url } = await listen((response) => response.writeHead(500).end())
  const store = await freshStore()
  const crib = await createTestCrib({ tools: [refund], store })
  closers.push(crib.close)
  const { approvalId = '', callId = '' } = await crib.call('billing.refund', { note: 'a' })
  const notice: OutboxMessage = {
    tenant: 'default',
    approvalId,
    callId,
    createdAt: Date.now() - 90_000_000,
    tries: 40,
  }
  const ended: OutboxMessage[] = []
  const sweep = createOutboxSweep({
    now: Date.now,
    approvals: {
      ...store.approvals,
      claimOutbox: async () => [notice],
      endOutboxMessage: async (one) => void ended.push(one),
    },
    events: store.events,
    webhook: { url, secret: undefined, fetch },
    publicUrl: () => 'http://x',
  })
  await sweep.run()
  expect(ended).toEqual([notice])
  const { items } = await crib.api.readEvents(owner, {
    types: ['approval.notice_failed'],
    limit: 5,
  })
  expect(items[0]?.data).toEqual({
    approvalId,
    callId,
    tries: 40,
    host: new URL(url).host,
    reason: 'it answered 500',
  })
})

test('a signing secret that is named and not set stops the start', async () => {
  const webhook = { url: 'http://127.0.0.1:1/', secretEnv: 'NOT_SET' }
  await expect(createTestCrib({ config: { approvals: { webhook } } })).rejects.toMatchObject({
    code: 'invalid_config',
  })
})

test.each(['whsec_', 'whsec_!!!!', 'whsec_c2Vj cmV0', 'whsec_c'])(
  'a signing secret that is no base64 stops the start: %j',
  async (secret) => {
    const webhook = { url: 'http://127.0.0.1:1/', secretEnv: 'HOOK_SECRET' }
    const options = { env: { HOOK_SECRET: secret }, config: { approvals: { webhook } } }
    await expect(createTestCrib(options)).rejects.toMatchObject({ code: 'invalid_config' })
  },
)

test('an address with a password in it stops the start', async () => {
  const webhook = { url: 'http://anna:secret@127.0.0.1:1/' }
  await expect(createTestCrib({ config: { approvals: { webhook } } })).rejects.toMatchObject({
    code: 'invalid_config',
  })
})

test('a yes whose text never ends is a yes', async () => {
  const { url } = await listen((response) => void response.writeHead(200).write('x'))
  const sent = postOutboxMessage(
    { url, secret: undefined, fetch },
    { id: 'appr_1', at: Date.now(), body: {} },
  )
  await expect(sent).resolves.toBeUndefined()
})
