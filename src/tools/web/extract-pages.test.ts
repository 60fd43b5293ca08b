import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  answerJson,
  openWebParts,
  serveWeb,
  type WebServer,
} from '../../../test/setup/web-server.ts'
import { runTool } from '../../testing/run-tool.ts'
import { extractPages } from './extract-pages.ts'

let server: WebServer
let parts: ReturnType<typeof openWebParts>
let running = 0
let most = 0
beforeAll(async () => {
  parts = openWebParts()
  server = await serveWeb(async ({ url, body }, response) => {
    if (url.pathname === '/extract') return answerTavily(body, response)
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setImmediate(resolve))
    running -= 1
    if (url.pathname === '/gone') return void response.writeHead(404).end('no such page')
    if (url.pathname === '/file') {
      return void response.writeHead(200, { 'content-type': 'image/png' }).end('png')
    }
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(`<title>T</title><h1>Page ${url.pathname}</h1><p hidden>secret</p>`)
  })
})
afterAll(async () => {
  await server.close()
  await parts.close()
})

function answerTavily(body: Buffer, response: Parameters<typeof answerJson>[0]): void {
  const { urls } = JSON.parse(body.toString()) as { urls: string[] }
  answerJson(response, {
    results: urls
      .filter((url) => !url.endsWith('gone'))
      .map((url) => ({ url, raw_content: `# ${url}` })),
    failed_results: urls
      .filter((url) => url.endsWith('gone'))
      .map((url) => ({ url, error: 'Not found' })),
  })
}

test('several pages come in their order, with an error beside those that fail', async () => {
  const paths = ['/a', '/gone', '/b', '/file', '/c', '/d', '/e', '/f', '/a']
  const urls = [...paths.map((path) => `${server.url}${path}`), 'http://127.0.0.1:1/']
  const { output } = await runTool(extractPages, { urls, maxChars: null }, parts)
  expect(output.provider).toBe('own')
  expect(
    output.pages.map(({ url, text, error }) => [new URL(url).pathname, text ?? error?.code]),
  ).toEqual([
    ['/a', '# Page /a'],
    ['/gone', 'upstream_failed'],
    ['/b', '# Page /b'],
    ['/file', 'upstream_failed'],
    ['/c', '# Page /c'],
    ['/d', '# Page /d'],
    ['/e', '# Page /e'],
    ['/f', '# Page /f'],
    ['/', 'upstream_failed'],
  ])
  expect(output.pages[0]).toMatchObject({ title: 'T', truncated: false, error: null })
  expect(output.pages[1]?.error?.message).toContain('answered 404: no such page')
  expect(most).toBeLessThanOrEqual(4)
})

test('Tavily reads the pages if an operator chose it', async () => {
  const options = { provider: 'tavily', baseUrl: server.url }
  const urls = ['https://a.example/x', 'https://a.example/gone']
  const run = (secrets: Record<string, string>) =>
    runTool(extractPages, { urls, maxChars: 100 }, { ...parts, options, secrets })
  const { output } = await run({ tavily_api_key: 'tvly-made-up' })
  expect(output).toMatchObject({
    provider: 'tavily',
    pages: [
      { url: urls[0], text: '# https://a.example/x', error: null },
      { url: urls[1], text: null, error: { message: 'Tavily could not read it: Not found' } },
    ],
  })
  expect(server.seen.at(-1)?.headers.authorization).toBe('Bearer tvly-made-up')
  await expect(run({})).rejects.toMatchObject({ code: 'secret_missing' })
})

test('long pages are cut, and more than ten addresses are refused', async () => {
  const urls = [`${server.url}/${'x'.repeat(300)}`]
  const { output } = await runTool(extractPages, { urls, maxChars: 100 }, parts)
  expect(output.pages[0]).toMatchObject({ truncated: true })
  expect(output.pages[0]?.text).toHaveLength(100)
  const many = Array.from({ length: 11 }, (_, index) => `https://a.example/${index}`)
  await expect(runTool(extractPages, { urls: many, maxChars: null }, parts)).rejects.toMatchObject({
    code: 'invalid_input',
  })
})
