import { expect, test } from 'vitest'
import type { WebRequest } from '../../core/kernel/context/web.ts'
import { createWorkerWeb, sendForWorker } from './web-wire.ts'

interface Seen {
  url: string
  request: WebRequest
  body: string
}

/** Copies everything as a message to another thread is copied. */
function acrossThreads(answer: () => Response) {
  const seen: Seen[] = []
  const fetch = async (input: string | URL | Request, request: WebRequest = {}) => {
    const body = await new Response(request.body ?? null).text()
    seen.push({ url: input as string, request, body })
    return answer()
  }
  const main = { fetch, readPage: () => Promise.reject(new Error('not asked')) }
  const web = createWorkerWeb(async (request) =>
    structuredClone(await sendForWorker(main, structuredClone(request))),
  )
  return { web, seen }
}

test('a request crosses with its body as bytes, and the response comes back whole', async () => {
  const headers = { 'content-type': 'text/html', 'x-b': '2' }
  const { web, seen } = acrossThreads(() => new Response('page', { status: 201, headers }))
  const form = new FormData()
  form.set('a', '1')
  const response = await web.fetch('https://example.com/', {
    method: 'POST',
    body: form,
    headers: { 'x-a': '1' },
    maxBytes: 10,
    retries: 2,
  })
  expect([response.status, response.headers.get('x-b'), await response.text()]).toEqual([
    201,
    '2',
    'page',
  ])
  const [sent] = seen
  expect(sent?.request).toMatchObject({ method: 'POST', maxBytes: 10, retries: 2 })
  const names = new Headers(sent?.request.headers)
  expect([names.get('x-a'), names.get('content-type')?.split(';')[0]]).toEqual([
    '1',
    'multipart/form-data',
  ])
  expect(sent?.body).toContain('name="a"')
})

test('a page is read as on the main thread, and an empty response stays empty', async () => {
  const latin = Buffer.from('Bücher', 'latin1')
  const headers = { 'content-type': 'text/plain; charset=latin1' }
  const { web } = acrossThreads(() => new Response(latin, { headers }))
  const page = await web.readPage('https://example.com/')
  expect([page.mediaType, page.text()]).toEqual(['text/plain', 'Bücher'])
  const empty = acrossThreads(() => new Response(null, { status: 204 }))
  expect((await empty.web.fetch('https://example.com/')).status).toBe(204)
})

test('a message that no worker of ours writes is refused', async () => {
  const { web } = acrossThreads(() => new Response('x'))
  for (const given of [undefined, {}, { url: 1, method: 'GET', headers: [] }, 'text']) {
    await expect(sendForWorker(web, given)).rejects.toThrow('malformed')
  }
})
