import { createGzip, gzipSync } from 'node:zlib'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { openToMachine, serve } from './testing/canary.fixture.ts'

const fetch = () => openToMachine().fetchFor({ key: 'limits' })

test('a server that never answers is given up at the deadline', async () => {
  const port = await serve(() => undefined)
  await expect(fetch()(`http://127.0.0.1:${port}/`, { timeoutMs: 100 })).rejects.toMatchObject({
    code: 'timeout',
    message: `127.0.0.1:${port} did not answer in full within 100 ms`,
  })
})

test('the deadline holds for a body that trickles, and for redirects together', async () => {
  const port = await serve((request, response) => {
    if (request.url === '/')
      return setTimeout(() => response.writeHead(302, { location: '/' }).end(), 60)
    const timer = setInterval(() => response.write('.'), 20)
    response.once('close', () => clearInterval(timer))
  })
  const slow = await fetch()(`http://127.0.0.1:${port}/body`, { timeoutMs: 1500 })
  await expect(slow.text()).rejects.toMatchObject({ code: 'timeout' })
  await expect(fetch()(`http://127.0.0.1:${port}/`, { timeoutMs: 150 })).rejects.toMatchObject({
    code: 'timeout',
  })
})

test('an endless body stops at the limit, and the connection with it', async () => {
  let isClosed = false
  const port = await serve((_request, response) => {
    response.once('close', () => (isClosed = true))
    new Readable({
      read() {
        this.push(Buffer.alloc(65_536))
      },
    }).pipe(response)
  })
  const response = await fetch()(`http://127.0.0.1:${port}/`, { maxBytes: 1_000_000 })
  await expect(response.arrayBuffer()).rejects.toMatchObject({ code: 'quota_exceeded' })
  await expect.poll(() => isClosed).toBe(true)
})

test('a bomb of 200 MB stops at the limit of what it becomes', async () => {
  let sent = 0
  const port = await serve((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' })
    let left = 200
    const zeros = new Readable({
      read() {
        this.push(left-- > 0 ? Buffer.alloc(1_048_576) : null)
      },
    })
    zeros
      .pipe(createGzip())
      .on('data', (chunk: Buffer) => (sent += chunk.length))
      .pipe(response)
  })
  const response = await fetch()(`http://127.0.0.1:${port}/`, { maxBytes: 1_048_576 })
  let read = 0
  const reading = (async () => {
    for await (const chunk of response.body ?? []) read += chunk.length
  })()
  await expect(reading).rejects.toMatchObject({ code: 'quota_exceeded' })
  expect(read).toBeLessThanOrEqual(1_048_576)
  expect(sent).toBeLessThan(1_000_000)
})

test('a body of exactly the limit is read, encoded or not', async () => {
  const text = 'x'.repeat(5000)
  const port = await serve((request, response) => {
    if (request.url === '/plain') return response.end(text)
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(text))
  })
  for (const path of ['plain', 'gzip']) {
    const response = await fetch()(`http://127.0.0.1:${port}/${path}`, { maxBytes: 5000 })
    expect(await response.text()).toBe(text)
  }
})

test('the caller can stop a body that is being read', async () => {
  const port = await serve((_request, response) => void response.write('first'))
  const controller = new AbortController()
  const { signal } = controller
  const response = await fetch()(`http://127.0.0.1:${port}/`, { signal, timeoutMs: 60_000 })
  const text = response.text()
  controller.abort(new Error('enough'))
  await expect(text).rejects.toThrow('enough')
})
