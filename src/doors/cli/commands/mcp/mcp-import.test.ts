import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { toBrowserCommand } from '../../open-browser.ts'
import { createFakeApi, json, problem } from '../../testing/fake-api.ts'
import { runLine } from '../../testing/run-line.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib import '))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function importText(text: string, answer: (name: string) => Response = () => json({}, 201)) {
  const api = createFakeApi({
    'POST /mcp-servers': ({ body }) => answer((body as { name: string }).name),
  })
  await writeFile(join(folder, 'mcp.json'), text)
  const result = await runLine(['mcp', 'import', 'mcp.json', '--json'], { ...api, cwd: folder })
  return { ...result, bodies: api.seen.flatMap(({ body }) => body ?? []) }
}

test('the servers of a client are added as they are; variables stay variables', async () => {
  const mcpServers = {
    'My Files': { command: 'npx', args: ['-y', 'files'], env: { TOKEN: '${FILES_TOKEN}', A: 'b' } },
    docs: { type: 'http', url: 'https://docs.example/mcp', headers: { 'x-key': '${env:KEY}' } },
  }
  const { code, bodies } = await importText(JSON.stringify({ mcpServers }))
  expect(code).toBe(0)
  expect(bodies).toEqual([
    {
      name: 'my-files',
      command: 'npx',
      args: ['-y', 'files'],
      env: { TOKEN: 'env:FILES_TOKEN', A: 'b' },
    },
    { name: 'docs', url: 'https://docs.example/mcp', headers: { 'x-key': 'env:KEY' } },
  ])
})

test('existing servers are kept, and a refused one does not stop the others', async () => {
  const servers = { one: { url: 'https://a.example' }, two: { url: 'b' }, three: { command: 'c' } }
  const { code, out } = await importText(
    `// of VS Code\n${JSON.stringify({ servers })}`,
    (name) => {
      if (name === 'one') return problem({ status: 409, code: 'conflict', detail: 'there' })
      if (name === 'two') return problem({ status: 400, code: 'invalid_request', detail: 'no URL' })
      return json({}, 201)
    },
  )
  expect(code).toBe(1)
  expect(JSON.parse(out)).toMatchObject({
    servers: [
      { name: 'one', result: 'kept' },
      { name: 'two', result: 'failed', message: 'no URL' },
      { name: 'three', result: 'added' },
    ],
  })
})

test('a refused server is shown with its fix', async () => {
  const refusal = { status: 400, code: 'invalid_request', detail: 'looks like a secret' }
  const api = createFakeApi({
    'POST /mcp-servers': () => problem({ ...refusal, fix: 'Write secret:<name> in its place.' }),
  })
  await writeFile(join(folder, 'mcp.json'), '{"servers":{"one":{"url":"https://a.example"}}}')
  const { code, out } = await runLine(['mcp', 'import', 'mcp.json'], { ...api, cwd: folder })
  expect([code, out]).toEqual([
    1,
    '✗ one: looks like a secret\n  → Write secret:<name> in its place.\n',
  ])
})

test('a file without servers, or that is not JSON, is refused', async () => {
  expect(await importText('{}')).toMatchObject({ code: 2 })
  expect(await importText('{')).toMatchObject({ code: 2 })
})

test('a browser is opened without a shell on every system', () => {
  const url = 'https://a.example/x?a=1&b=2'
  const on = (platform: NodeJS.Platform, env = {}) => toBrowserCommand(url, { platform, env })
  expect(on('darwin')).toEqual(['open', url])
  expect(on('win32')).toEqual(['rundll32', 'url.dll,FileProtocolHandler', url])
  expect(on('linux')).toEqual(['xdg-open', url])
  expect(on('linux', { BROWSER: 'firefox' })).toEqual(['firefox', url])
})
