import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWebParts, serveWeb, type WebServer } from '../../../test/setup/web-server.ts'
import { runTool } from '../../testing/run-tool.ts'
import { fetchPage } from './fetch-page.ts'

const news = readFileSync(
  fileURLToPath(new URL('../../../test/fixtures/pages/news.html', import.meta.url)),
)
const long = Array.from({ length: 4000 }, (_, index) => `<p>Line ${index} 🦦</p>`).join('')

type Body = [type: string, body: string | Uint8Array, headers?: Record<string, string>]
const bodies: Record<string, Body> = {
  '/news': ['text/html', news],
  '/gzip': ['text/html', gzipSync(news), { 'content-encoding': 'gzip' }],
  '/brotli': ['text/html', brotliCompressSync(news), { 'content-encoding': 'br' }],
  '/latin': ['text/html; charset=windows-1252', Buffer.from('<p>caf\u00E9 \u0080</p>', 'latin1')],
  '/meta': [
    'text/html',
    Buffer.concat([
      Buffer.from('<meta charset=shift_jis><p>'),
      Buffer.from([0x83, 0x65, 0x83, 0x58]),
    ]),
  ],
  '/utf16': ['text/html', Buffer.from('\uFEFF<p>Grüße</p>', 'utf16le')],
  '/json': ['application/json', '{"a":[1,{"b":"<b>"}]}'],
  '/long': ['text/html', long],
  '/pdf': [
    'application/pdf',
    '%PDF-1.7 …',
    { 'content-disposition': 'inline; filename="a b.pdf"' },
  ],
  '/bytes': ['application/octet-stream', Buffer.from([0, 1, 2, 255])],
  '/odd': ['image/<x>', Buffer.from([0])],
  '/plain': ['text/plain', 'one\0two <b>three</b>'],
  '/markdown': ['text/markdown', '# As it is\n\n*yes*'],
  '/empty': ['text/html', ''],
  '/huge': ['text/html', `<p>${'word '.repeat(1_000_100)}</p>`],
}

let server: WebServer
let parts: ReturnType<typeof openWebParts>
beforeAll(async () => {
  parts = openWebParts()
  server = await serveWeb(({ url }, response) => {
    const status = Number(/^\/status\/(\d+)/.exec(url.pathname)?.[1])
    if (url.pathname === '/moved') return void response.writeHead(302, { location: '/news' }).end()
    if (status > 0) {
      response.writeHead(status, { 'content-type': 'text/html', 'retry-after': '7' })
      return void response.end(
        `<style>x</style><h1>No</h1><p hidden>secret</p><p>Reason ${status}</p>`,
      )
    }
    const [type, body, headers] = bodies[url.pathname] ?? ['text/html', 'nothing here']
    response.writeHead(200, { ...(type !== '' && { 'content-type': type }), ...headers })
    response.end(body)
  })
})
afterAll(async () => {
  await server.close()
  await parts.close()
})

async function read(path: string, input: object = {}) {
  const given = { url: `${server.url}${path}`, format: null, maxChars: null, offset: null }
  return (await runTool(fetchPage, { ...given, ...input }, parts)).output
}

test('a page comes as Markdown with its facts and without what is hidden in it', async () => {
  const page = await read('/news')
  expect(page).toMatchObject({
    url: `${server.url}/news`,
    status: 200,
    title: 'Harbour bridge reopens after 14 months – The Coast Daily',
    mediaType: 'text/html',
    format: 'markdown',
    offset: 0,
    next: null,
    truncated: false,
    artifact: null,
  })
  expect(page.text).toContain('# Harbour bridge reopens after 14 months')
  expect(page.text).toContain(`[final report](${server.url}/reports/bridge-2026.pdf)`)
  expect(page.text).not.toContain('LEAK')
  expect(page.totalChars).toBe(page.text?.length)
})

test('text has no markup, HTML no scripts, and raw is what was sent', async () => {
  const text = (await read('/news', { format: 'text' })).text
  expect(text).toMatch(/^Harbour bridge reopens/)
  expect(text).not.toMatch(/LEAK|\*\*|<p/)
  const html = (await read('/news', { format: 'html' })).text
  expect(html).toContain('<h1>Harbour bridge reopens after 14 months</h1>')
  expect(html).not.toMatch(/<script|javascript:|LEAK display none/)
  expect((await read('/news', { format: 'raw' })).text).toBe(news.toString())
})

test.each(['/gzip', '/brotli', '/moved'])('%s is read as the page it stands for', async (path) => {
  const page = await read(path)
  expect(page.text).toContain('312 replaced bolts')
  if (path === '/moved') expect(page.url).toBe(`${server.url}/news`)
})

test('a page is decoded by its header, its meta element or its byte order mark', async () => {
  const texts = await Promise.all(
    ['/latin', '/meta', '/utf16'].map(async (path) => (await read(path)).text),
  )
  expect(texts).toEqual(['café €', 'テス', 'Grüße'])
})

test('JSON is indented, text and Markdown stay as they are, without NUL', async () => {
  expect((await read('/json')).text).toBe(JSON.stringify({ a: [1, { b: '<b>' }] }, null, 2))
  expect((await read('/json', { format: 'raw' })).text).toBe('{"a":[1,{"b":"<b>"}]}')
  expect((await read('/plain')).text).toBe('onetwo <b>three</b>')
  expect((await read('/markdown')).text).toBe('# As it is\n\n*yes*')
  expect(await read('/empty')).toMatchObject({ text: '', next: null, totalChars: 0 })
})

test('a long page is read in parts, which make the whole and cut no character in two', async () => {
  const whole = (await read('/long', { maxChars: 100_000 })).text
  const texts: (string | null)[] = []
  for (let offset: number | null = 0; offset !== null;) {
    const part: Awaited<ReturnType<typeof read>> = await read('/long', { maxChars: 9001, offset })
    expect(part.truncated).toBe(part.next !== null)
    expect(part.text?.isWellFormed()).toBe(true)
    texts.push(part.text)
    offset = part.next
  }
  expect(texts.length).toBeGreaterThan(5)
  expect(texts.join('')).toBe(whole)
  expect(await read('/long', { offset: 1_000_000 })).toMatchObject({ text: '', next: null })
})

test('a file is kept as an artifact under its name', async () => {
  const { artifact, text } = await read('/pdf')
  expect(text).toBeNull()
  expect(artifact).toMatchObject({ mediaType: 'application/pdf' })
  expect((await read('/bytes')).artifact).toMatchObject({
    bytes: 4,
    mediaType: 'application/octet-stream',
  })
  expect((await read('/odd')).artifact?.mediaType).toBe('application/octet-stream')
  expect(parts.saved.map(({ name }) => name)).toEqual(['a b.pdf', 'bytes', 'odd'])
})

test.each([
  [404, 'upstream_failed', false],
  [410, 'upstream_failed', false],
  [403, 'upstream_failed', false],
  [429, 'rate_limited', true],
  [500, 'upstream_failed', true],
  [503, 'upstream_failed', true],
])(
  'status %i fails with %s, its reason, and whether to try again',
  async (status, code, retryable) => {
    const { host } = new URL(server.url)
    await expect(read(`/status/${status}`)).rejects.toMatchObject({
      code,
      retryable,
      message: `${host} answered ${status}: No Reason ${status}`,
      details: { status, retryAfterMs: 7000 },
    })
  },
)

test('a page over five million bytes is refused, a smaller one is cut where its text would end', async () => {
  await expect(read('/huge')).rejects.toMatchObject({ code: 'quota_exceeded' })
  bodies['/large'] = ['text/html', `<p>${'word '.repeat(500_000)}</p>`]
  const page = await read('/large')
  expect(page).toMatchObject({ truncated: true, next: 20_000 })
  expect(page.totalChars).toBeLessThanOrEqual(2_000_000)
})

test('only http and https addresses are taken', async () => {
  for (const url of ['file:///etc/passwd', 'javascript:1', 'example.com', 'ftp://a/b', '']) {
    await expect(read('', { url })).rejects.toMatchObject({ code: 'invalid_input' })
  }
})

test('a cancelled call ends its request', async () => {
  const controller = new AbortController()
  const slow = await serveWeb(() => controller.abort(new Error('enough')))
  const input = { url: slow.url, format: null, maxChars: null, offset: null }
  await expect(runTool(fetchPage, input, { ...parts, signal: controller.signal })).rejects.toThrow(
    'enough',
  )
  await slow.close()
})

test('its output is untrusted, and it only reads', () => {
  const { labels, effect, openWorld } = fetchPage.contract
  expect({ labels, effect, openWorld }).toEqual({
    labels: { reads: ['untrusted'] },
    effect: 'read',
    openWorld: true,
  })
})
