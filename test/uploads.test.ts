import { connect } from 'node:net'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Crib, defineTool, z } from '../src/app/index.ts'
import { openCrib, type OpenCrib } from '../src/app/open-crib.ts'
import { ownerOf } from '../src/app/owner.ts'
import type { Caller } from '../src/core/kernel/call.ts'
import { createHttpApp, type HttpApp } from '../src/doors/http/create-http-app.ts'
import { type HttpServer, serveHttp } from '../src/doors/http/serve-http.ts'
import { createTestCrib } from '../src/testing/index.ts'
import { openTestStore } from '../src/testing/open-test-store.ts'

const asFile = (more = {}) => z.string().meta({ format: 'file', ...more })
let hasAsked = ''

const tools = [
  defineTool({
    name: 'file.size',
    description: 'Reads a file by reference, as it comes.',
    effect: 'read',
    inputSchema: z.object({ paper: asFile(), more: z.array(asFile()).nullable() }),
    async execute({ paper, more }, { files }) {
      const file = await files.open(paper)
      let read = 0
      for await (const chunk of file.chunks()) read += chunk.length
      const { mediaType, size } = file
      const rest = await Promise.all((more ?? []).map((one) => files.read(one)))
      return { name: file.name ?? null, mediaType, size, read, more: rest.map((one) => one.text()) }
    },
  }),
  defineTool({
    name: 'file.strict',
    description: 'Takes a file as base64 and as a data URL, and knows nothing of uploads.',
    effect: 'write',
    inputSchema: z.object({
      raw: z.base64(),
      url: z
        .string()
        .regex(/^data:/)
        .meta({ format: 'data-url' })
        .nullable(),
    }),
    execute: ({ raw, url }) => ({ raw: atob(raw).slice(0, 5), url: url?.slice(0, 22) ?? null }),
  }),
  defineTool({
    name: 'file.asked',
    description: 'Reads a file once a person has said yes.',
    effect: 'write',
    approval: 'always',
    inputSchema: z.object({ paper: asFile() }),
    async execute({ paper }, { files }) {
      hasAsked = (await files.read(paper)).text()
      return { text: hasAsked }
    },
  }),
  defineTool({
    name: 'file.peek',
    description: 'Tries to read what its input does not name as a file.',
    effect: 'read',
    inputSchema: z.object({ uri: z.string(), paper: asFile().nullable() }),
    execute: async ({ uri }, { files }) => (await files.read(uri)).text(),
  }),
]

const bytesOf = (text: string) => new TextEncoder().encode(text)
const text = (content: string, name = 'a.txt') => ({
  name,
  mediaType: 'text/plain',
  content: bytesOf(content),
})

describe('a call with a file', () => {
  let crib: Crib
  const owner = ownerOf('default')
  beforeAll(async () => {
    crib = await createTestCrib({ tools, config: { tenants: [{ slug: 'other' }] } })
  })
  afterAll(() => crib.close())

  test('reads an upload by its reference, and the record holds the reference alone', async () => {
    const large = await crib.upload({
      name: 'large.bin',
      mediaType: 'application/x-large',
      content: new Uint8Array(randomBytes(1_500_000)),
    })
    const small = await crib.upload(text('small'))
    const input = { paper: large.uri, more: [small.uri, 'data:text/plain;base64,aW4='] }
    const result = await crib.call('file.size', input, { durable: true })
    expect(result).toMatchObject({
      status: 'completed',
      output: {
        name: 'large.bin',
        mediaType: 'application/x-large',
        size: 1_500_000,
        read: 1_500_000,
        more: ['small', 'in'],
      },
    })
    const { input: kept } = await crib.api.findCall(owner, { id: result.callId ?? '' })
    expect(kept).toEqual(input)
    const again = await crib.api.rerunCall(owner, { id: result.callId ?? '' })
    expect(again).toMatchObject({ status: 'completed', output: result.output })
  })

  test('gives its content to a tool that takes files inside of its input', async () => {
    const { uri } = await crib.upload(text('hello there'))
    const result = await crib.call('file.strict', { raw: uri, url: uri })
    expect(result.output).toEqual({ raw: 'hello', url: 'data:text/plain;base64' })
    const { input } = await crib.api.findCall(owner, { id: result.callId ?? '' })
    expect(input).toEqual({ raw: uri, url: uri })
    const events: unknown[] = []
    for await (const event of crib.events({ callId: result.callId })) events.push(event.data)
    expect(JSON.stringify(events)).not.toContain(btoa('hello there').slice(0, 12))
    const plain = await crib.call('file.strict', { raw: 'aGVsbG8=' })
    expect(plain.output).toEqual({ raw: 'hello', url: null })
    expect(await crib.call('file.strict', { raw: '!' })).toMatchObject({
      error: { code: 'invalid_input' },
    })
  })

  test('that waits for a person finds it afterwards, and fails in words when it is gone', async () => {
    const [kept, gone] = [await crib.upload(text('kept')), await crib.upload(text('gone'))]
    const first = await crib.call('file.asked', { paper: kept.uri })
    const second = await crib.call('file.asked', { paper: gone.uri })
    await crib.api.deleteUpload(owner, { id: gone.id })
    await crib.api.decideApproval(owner, { id: first.approvalId ?? '', decision: 'approve' })
    const done = await crib.api.findCall(owner, { id: first.callId ?? '', wait: 60 })
    expect([done.status, done.output, hasAsked]).toEqual(['completed', { text: 'kept' }, 'kept'])
    const late = crib.api.decideApproval(owner, {
      id: second.approvalId ?? '',
      decision: 'approve',
    })
    await expect(late).rejects.toMatchObject({
      code: 'not_found',
      message: `There is no upload "${gone.id}"`,
      issues: [{ path: '/paper' }],
    })
  })

  test('finds nothing of other tenants and people, in the words of what is not there', async () => {
    const { uri, id } = await crib.upload(text('mine'))
    const stranger: Caller = {
      ...owner,
      principal: { kind: 'key', id: 'key_else' },
      permissions: ['tools.call'],
    }
    const missing = `upl_${'0'.repeat(32)}`
    for (const [caller, named] of [
      [stranger, id],
      [ownerOf('other'), id],
      [owner, missing],
    ] as const) {
      const input = { paper: uri.replace(id, named) }
      const refused = await crib.api.call({ tool: 'file.size', input, caller })
      expect(refused).toMatchObject({
        status: 'failed',
        error: { code: 'not_found', message: `There is no upload "${named}"` },
      })
      expect(refused.callId).toBeUndefined()
      await expect(crib.api.findUpload(caller, { id: named })).rejects.toMatchObject({
        code: 'not_found',
      })
    }
    await expect(crib.api.deleteUpload(stranger, { id })).rejects.toMatchObject({
      code: 'not_found',
    })
    const actsFor: Caller = { ...stranger, onBehalfOf: owner.principal }
    const done = await crib.api.call({ tool: 'file.size', input: { paper: uri }, caller: actsFor })
    expect(done.status).toBe('completed')
  })

  test('words are no file: a field for one takes an upload, a data URL or base64, and says so', async () => {
    for (const paper of ['report from Monday', 'data:text/plain,hi', 'aGk=x', 'a']) {
      const refused = await crib.call('file.size', { paper })
      expect(refused).toMatchObject({
        status: 'failed',
        error: { code: 'invalid_input', issues: [{ path: '/paper' }] },
      })
      expect(refused.callId).toBeUndefined()
      expect(refused.error?.issues?.[0]?.message).toContain('crib://uploads/')
    }
    for (const paper of ['aGVs\nbG8=', 'aGVsbG8=', 'data:;base64,aGVsbG8=']) {
      expect((await crib.call('file.size', { paper })).output).toMatchObject({ size: 5 })
    }
  })

  test('one word that happens to be base64 is no file either, and the error says how to send bytes', async () => {
    for (const paper of ['Monday12', 'aGVsbG8', 'docs/report/2026']) {
      const refused = await crib.call('file.size', { paper })
      expect(refused).toMatchObject({ status: 'failed', error: { code: 'invalid_input' } })
      expect(refused.error?.issues).toEqual([
        { path: '/paper', message: expect.stringContaining('data:;base64,') as string },
      ])
    }
    const bytes = Buffer.alloc(99, 'x').toString('base64')
    expect((await crib.call('file.size', { paper: bytes })).output).toMatchObject({ size: 99 })
  })

  test('an input names a thousand uploads at most, and words in the middle end the search', async () => {
    const { uri } = await crib.upload(text('one'))
    const more = Array.from({ length: 1_000 }, () => uri)
    const refused = await crib.call('file.size', { paper: uri, more })
    expect(refused).toMatchObject({
      status: 'failed',
      error: { code: 'invalid_input', message: 'The input names more than 1000 uploads' },
    })
    const words = await crib.call('file.size', { paper: uri, more: ['two words', ...more] })
    expect(words.error?.issues?.[0]?.path).toBe('/more/0')
  })

  test('a tool reads no file that its input does not name as one', async () => {
    const { uri } = await crib.upload(text('not for you'))
    const peeked = await crib.call('file.peek', { uri, paper: null })
    expect(peeked).toMatchObject({ status: 'failed', error: { code: 'not_found' } })
    const named = await crib.call('file.peek', { uri, paper: uri })
    expect(named.output).toBe('not for you')
  })
})

describe('handing in over HTTP', () => {
  let crib: OpenCrib
  let app: HttpApp
  let server: HttpServer
  let key: string
  let reader: string
  beforeAll(async () => {
    crib = await openCrib({
      cwd: '/',
      data: '/nowhere',
      env: {},
      store: await openTestStore(),
      config: { tools: [], uploads: { maxBytes: 100_000, tenantBytes: 250_000 } },
      tools,
      onWarning: () => undefined,
    })
    app = createHttpApp({ api: crib.api, version: 'test' })
    server = await serveHttp(app, { port: 0 })
    const { keys } = crib.store
    key = (await keys.create({ tenant: 'default', name: 'k', scopes: ['tools.call'] })).token
    reader = (await keys.create({ tenant: 'default', name: 'r', scopes: ['tools.read'] })).token
  })
  afterAll(async () => {
    await server.close()
    await crib.close()
    await crib.store.close()
  })

  async function post(
    body: string | Uint8Array<ArrayBuffer> | URLSearchParams,
    more: { type?: string; as?: string } = {},
  ) {
    const { type, as = key } = more
    const headers = {
      authorization: `Bearer ${as}`,
      ...(type !== undefined && { 'content-type': type }),
    }
    const response = await app.request('/api/v1/uploads?name=../b%20%C3%A9.csv', {
      method: 'POST',
      headers,
      body,
    })
    const answer = (await response.json()) as Record<string, unknown>
    return { status: response.status, code: answer['code'], ...answer }
  }

  test('a file comes back as it was, under its name, for its owner alone, until it is deleted', async () => {
    const made = await post(bytesOf('a,b\n'), { type: 'text/csv' })
    expect(made).toMatchObject({ status: 201, name: 'b é.csv', mediaType: 'text/csv', bytes: 4 })
    const path = `/api/v1/uploads/${String((made as { id?: string }).id)}`
    const ask = (address: string, token: string, method = 'GET') =>
      app.request(address, { method, headers: { authorization: `Bearer ${token}` } })
    const content = await ask(`${path}/content`, key)
    expect([await content.text(), content.headers.get('content-disposition')]).toEqual([
      'a,b\n',
      `attachment; filename="b _.csv"; filename*=UTF-8''b%20%C3%A9.csv`,
    ])
    const foreign = [await ask(path, reader), await ask(path, reader, 'DELETE')]
    expect(foreign.map(({ status }) => status)).toEqual([404, 404])
    expect((await ask(path, key, 'DELETE')).status).toBe(204)
    expect((await ask(`${path}/content`, key)).status).toBe(404)
  })

  const large = { status: 413, code: 'body_too_large' }
  const broken = { status: 400, code: 'invalid_request' }
  const untyped = { status: 415, code: 'unsupported_media_type' }
  test.each([
    { what: 'too large', body: 'x'.repeat(100_001), how: { type: 'text/plain' }, answer: large },
    { what: 'empty', body: '', how: { type: 'text/plain' }, answer: broken },
    { what: 'of no type', body: new Uint8Array([1]), how: {}, answer: untyped },
    { what: 'of a type that is none', body: 'x', how: { type: 'nonsense' }, answer: untyped },
    { what: 'a form', body: new URLSearchParams({ a: 'b' }), how: {}, answer: untyped },
  ] as const)('what is $what is refused, and nothing is kept', async ({ body, how, answer }) => {
    const before = await crib.store.uploads.countBytes('default')
    expect(await post(body, how)).toMatchObject(answer)
    expect(await crib.store.uploads.countBytes('default')).toBe(before)
  })

  test('it needs the permission to call tools', async () => {
    expect(await post('x', { type: 'text/plain', as: reader })).toMatchObject({
      status: 403,
      code: 'forbidden',
    })
  })

  test('a tenant has room for so much, and more is refused until some of it goes', async () => {
    const made = []
    for (let i = 0; i < 3; i += 1) made.push(await post('x'.repeat(90_000), { type: 'a/b' }))
    expect(made.map(({ status, code }) => [status, code])).toEqual([
      [201, undefined],
      [201, undefined],
      [429, 'quota_exceeded'],
    ])
    const owner = ownerOf('default')
    for (const one of made.slice(0, 2)) {
      await crib.api.deleteUpload(owner, { id: String((one as { id?: string }).id) })
    }
    expect(await crib.store.uploads.countBytes('default')).toBe(0)
  })

  test('one that breaks off in the middle leaves nothing, and is no fault', async () => {
    const socket = connect(server.port, '127.0.0.1')
    await new Promise<void>((resolve) => socket.once('connect', () => resolve()))
    const head = [
      'POST /api/v1/uploads HTTP/1.1',
      'host: localhost',
      `authorization: Bearer ${key}`,
      'content-type: text/plain',
      'content-length: 50000',
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n${'x'.repeat(20_000)}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
    socket.destroy()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(await crib.store.uploads.countBytes('default')).toBe(0)
    const made = await post('still here', { type: 'text/plain' })
    expect(made.status).toBe(201)
  })
})
