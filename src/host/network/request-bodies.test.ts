import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { openToMachine, serve } from './testing/canary.fixture.ts'

interface Got {
  method: string | undefined
  type: string | undefined
  body: Buffer
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

async function echo() {
  const got: Got[] = []
  const port = await serve(async (request, response) => {
    const { method, headers } = request
    got.push({ method, type: headers['content-type'], body: await read(request) })
    response.end('ok')
  })
  const fetch = openToMachine().fetchFor({ key: 'bodies' })
  return { got, url: `http://127.0.0.1:${port}/`, fetch }
}

async function* pieces() {
  yield new TextEncoder().encode('a')
  yield new TextEncoder().encode('b')
}

const plain: [name: string, make: () => unknown, type: string | undefined][] = [
  ['string', () => 'ab', 'text/plain;charset=UTF-8'],
  ['Buffer', () => Buffer.from('ab'), undefined],
  ['Uint8Array', () => new TextEncoder().encode('ab'), undefined],
  ['ArrayBuffer', () => new TextEncoder().encode('ab').buffer, undefined],
  ['DataView', () => new DataView(new TextEncoder().encode('ab').buffer), undefined],
  ['Blob', () => new Blob(['ab'], { type: 'text/csv' }), 'text/csv'],
  ['stream', () => new Blob(['ab']).stream(), undefined],
  ['async generator', () => pieces(), undefined],
]

test.each(plain)('a %s arrives as its bytes', async (_name, make, type) => {
  const { got, url, fetch } = await echo()
  await (await fetch(url, { method: 'POST', body: make() as RequestInit['body'] })).text()
  expect(got).toEqual([{ method: 'POST', type, body: Buffer.from('ab') }])
})

test('URLSearchParams arrive as a form', async () => {
  const { got, url, fetch } = await echo()
  await fetch(url, { method: 'POST', body: new URLSearchParams({ a: '1', b: 'ä' }) })
  expect(got).toMatchObject([
    { type: 'application/x-www-form-urlencoded;charset=UTF-8', body: Buffer.from('a=1&b=%C3%A4') },
  ])
})

function form(): FormData {
  const data = new FormData()
  data.set('purpose', 'test')
  data.set('file', new Blob([new Uint8Array([0, 255, 13, 10])], { type: 'audio/wav' }), 'a.wav')
  return data
}

/** Parsed by another implementation than the one that wrote it. */
async function parseForm({ type, body }: Got) {
  const request = new Response(new Uint8Array(body), { headers: { 'content-type': type ?? '' } })
  const fields = await request.formData()
  const file = fields.get('file') as File
  const bytes = [...new Uint8Array(await file.arrayBuffer())]
  return { purpose: fields.get('purpose'), name: file.name, type: file.type, bytes }
}

const sent = { purpose: 'test', name: 'a.wav', type: 'audio/wav', bytes: [0, 255, 13, 10] }

test('FormData arrives as multipart, not as the text of an object', async () => {
  const { got, url, fetch } = await echo()
  await fetch(url, { method: 'POST', body: form() })
  expect(got[0]?.type).toMatch(/^multipart\/form-data; boundary=/)
  expect(await parseForm(got[0] as Got)).toEqual(sent)
})

test('a Request is taken apart, with its method, headers and body', async () => {
  const { got, url, fetch } = await echo()
  await fetch(new Request(url, { method: 'PUT', body: form(), headers: { 'x-a': '1' } }))
  expect(got[0]?.method).toBe('PUT')
  expect(await parseForm(got[0] as Got)).toEqual(sent)
  await fetch(new Request(url, { method: 'POST', body: 'one' }), { method: 'PATCH', body: 'two' })
  expect(got[1]).toMatchObject({ method: 'PATCH', body: Buffer.from('two') })
})

test('the signal of a Request aborts it', async () => {
  const port = await serve(() => undefined)
  const controller = new AbortController()
  const fetch = openToMachine().fetchFor({ key: 'bodies' })
  const answer = fetch(new Request(`http://127.0.0.1:${port}/`, { signal: controller.signal }))
  controller.abort(new Error('enough'))
  await expect(answer).rejects.toThrow('enough')
})

test('a body is sent again after 307 from the same origin, unless it was a stream', async () => {
  const bodies: string[] = []
  const port = await serve(async (request, response) => {
    bodies.push(String(await read(request)))
    if (request.url === '/') response.writeHead(307, { location: '/there' })
    response.end()
  })
  const fetch = openToMachine().fetchFor({ key: 'bodies' })
  const url = `http://127.0.0.1:${port}/`
  expect((await fetch(url, { method: 'POST', body: 'ab' })).url).toBe(`${url}there`)
  expect(bodies).toEqual(['ab', 'ab'])
  await expect(
    fetch(url, { method: 'POST', body: pieces() as unknown as RequestInit['body'] }),
  ).rejects.toMatchObject({ code: 'upstream_failed' })
})

test('POST becomes GET after 301, 302 and 303, without its body and what describes it', async () => {
  const seen: unknown[] = []
  const other = await serve(async (request, response) => {
    const { authorization, 'content-type': type } = request.headers
    seen.push([request.method, authorization, type, String(await read(request))])
    response.end()
  })
  const port = await serve((request, response) => {
    const status = Number(request.url?.slice(1))
    response.writeHead(status, { location: `http://127.0.0.1:${other}/` }).end()
  })
  const fetch = openToMachine().fetchFor({ key: 'bodies' })
  const headers = { authorization: 'Bearer t', 'content-type': 'application/json' }
  for (const status of [301, 302, 303]) {
    const url = `http://127.0.0.1:${port}/${status}`
    await fetch(url, { method: 'POST', headers, body: '{}' })
  }
  expect(seen).toEqual(Array.from({ length: 3 }, () => ['GET', undefined, undefined, '']))
  await expect(
    fetch(`http://127.0.0.1:${port}/302`, { method: 'PUT', headers, body: '{}' }),
  ).rejects.toMatchObject({ code: 'upstream_failed' })
})
