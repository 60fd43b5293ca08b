import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findChromium } from '../scripts/chromium.mjs'
import { type GatewayCrib, openGatewayCrib, textOf, until } from './setup/gateway-crib.ts'

const { resolve } = createRequire(import.meta.url)
const program = (name: string, file: string) =>
  path.join(path.dirname(resolve(`${name}/package.json`)), file)
const official = (name: string) => program(`@modelcontextprotocol/${name}`, 'dist/index.js')
const node = (...args: string[]) => ({ command: process.execPath, args })

// Chromium has no sandbox for root, which containers run tests as.
const chromium = findChromium()
const playwrightArgs = chromium ? ['--executable-path', chromium, '--no-sandbox'] : []
const devtoolsArgs = chromium ? ['--executablePath', chromium, '--chromeArg=--no-sandbox'] : []

let folder: string
let crib: GatewayCrib
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'toolcrib-gateway-'))
  await writeFile(path.join(folder, 'hello.txt'), 'hello from a file')
  crib = await openGatewayCrib({
    everything: node(official('server-everything'), 'stdio'),
    files: node(official('server-filesystem'), folder),
    memory: {
      ...node(official('server-memory')),
      env: { MEMORY_FILE_PATH: path.join(folder, 'memory.jsonl') },
    },
    playwright: {
      ...node(program('@playwright/mcp', 'cli.js'), '--headless', '--isolated', ...playwrightArgs),
      cwd: folder,
    },
    devtools: node(
      program('chrome-devtools-mcp', 'build/src/bin/chrome-devtools-mcp.js'),
      '--headless',
      '--isolated',
      ...devtoolsArgs,
    ),
  })
  const count = () => crib.gateway.statusOf('default').filter(({ listedAt }) => listedAt).length
  await until(() => count() === 5, 55_000)
  await until(async () => Object.keys(await crib.tools('mcp:')).length > 90)
})
afterAll(async () => {
  await crib?.close()
  await rm(folder, { recursive: true, force: true })
})

test('every tool of well-known servers is listed, and none is set aside', async () => {
  const counts = Object.fromEntries(
    await Promise.all(
      ['everything', 'files', 'memory', 'playwright', 'devtools'].map(async (server) => {
        const states = Object.values(await crib.tools(`mcp:${server}:`))
        return [server, `${states.filter((state) => state === 'ready').length}/${states.length}`]
      }),
    ),
  )
  expect(counts).toEqual({
    everything: '17/17',
    files: '14/14',
    memory: '9/9',
    playwright: '25/25',
    devtools: '32/32',
  })
})

test('files are read and refused through the gateway as the server says', async () => {
  const read = await crib.call('mcp:files:read_text_file', { path: path.join(folder, 'hello.txt') })
  expect(textOf(read)).toBe('hello from a file')
  const { status, error } = await crib.call('mcp:files:read_text_file', { path: '/etc/passwd' })
  expect({ status, code: error?.code }).toEqual({ status: 'failed', code: 'tool_failed' })
})

test('a graph is written and read again', async () => {
  const entities = [{ name: 'Toolcrib', entityType: 'thing', observations: ['holds tools'] }]
  expect((await crib.call('mcp:memory:create_entities', { entities })).status).toBe('completed')
  const graph = await crib.call('mcp:memory:read_graph')
  expect(JSON.stringify(graph.output)).toContain('holds tools')
})

test('servers that drive a browser answer, with or without one on this machine', async () => {
  const pages = await crib.call('mcp:playwright:browser_tabs', { action: 'list' })
  const listed = await crib.call('mcp:devtools:list_pages')
  for (const { status, error } of [pages, listed]) {
    // Without a browser it is the server that says so, and not the gateway.
    expect([status, error?.code]).toEqual(
      status === 'completed' ? ['completed', undefined] : ['failed', 'tool_failed'],
    )
  }
})

test.skipIf(chromium === undefined)(
  'a page is opened, read and pictured in a browser',
  async () => {
    const site = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end('<title>A page</title><h1>Hello</h1>')
    })
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`
    const text = async (...call: Parameters<GatewayCrib['call']>) =>
      textOf(await crib.call(...call))
    expect(await text('mcp:playwright:browser_navigate', { url })).toContain('A page')
    expect(await text('mcp:playwright:browser_snapshot')).toContain('heading "Hello"')
    const picture = await crib.call('mcp:playwright:browser_take_screenshot', {})
    expect(picture.output).toMatchObject({
      $content: expect.arrayContaining([expect.objectContaining({ type: 'image' })]) as unknown,
    })
    expect(await text('mcp:devtools:new_page', { url })).toContain('A page')
    expect(await text('mcp:devtools:take_snapshot', { pageId: 2 })).toContain('Hello')
    site.close()
  },
)
