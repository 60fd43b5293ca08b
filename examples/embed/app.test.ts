import { getRequestListener } from '@hono/node-server'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKey, openApp } from './app.ts'
import { createCrib, type Crib } from 'toolcrib'
import { connectCrib } from 'toolcrib/client'
import { openTestStore } from 'toolcrib/testing'

// Not the folder that the tests run in.
const data = mkdtempSync(path.join(tmpdir(), 'toolcrib-embed-'))
const settings = { config: {}, data, env: {}, onWarning: () => undefined }
let store: Awaited<ReturnType<typeof openTestStore>>
let server: Server
let crib: Crib
let url: string
let key: string
beforeAll(async () => {
  store = await openTestStore()
  const opened = await openApp({ ...settings, store })
  crib = opened.crib
  key = await createKey(crib)
  const listener = getRequestListener((request) => opened.app.fetch(request))
  server = createServer((incoming, outgoing) => void listener(incoming, outgoing))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await crib.close()
  await store.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  rmSync(data, { recursive: true, force: true })
})

test('a crib stands in an app under a path, beside its own routes', async () => {
  expect(await (await fetch(`${url}/shout/hi`)).text()).toBe('HI')
  const client = connectCrib({ url: `${url}/crib`, key })
  expect((await client.call('text.shout', { text: 'hi' })).output).toEqual({ text: 'HI' })
  const response = await fetch(`${url}/crib/api/v1/tools/text.shout/calls`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      prefer: 'respond-async',
    },
    body: '{"input":{"text":"hi"}}',
  })
  expect(response.status).toBe(202)
  expect(response.headers.get('location')).toMatch(/^\/crib\/api\/v1\/calls\/call_/)
  const call = await fetch(new URL(response.headers.get('location') ?? '', url), {
    headers: { authorization: `Bearer ${key}` },
  })
  expect(call.status).toBe(200)
  expect((await fetch(`${url}/crib/api/v1/tools`)).status).toBe(401)
})

test('MCP clients reach it there', async () => {
  const client = new Client({ name: 'embedded', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/crib/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  })
  await client.connect(transport)
  const { structuredContent } = await client.callTool({
    name: 'text_shout',
    arguments: { text: 'hi' },
  })
  expect(structuredContent).toEqual({ text: 'HI' })
  await client.close()
})

test('a path outside, a base path that is none and a console below one are told', async () => {
  const outside = await crib.fetch(new Request('http://crib.example/cribs/api/v1/tools'))
  expect(outside.status).toBe(404)
  expect(await outside.json()).toMatchObject({ detail: 'This crib is served under /crib' })
  const open = (http: object) => createCrib({ ...settings, store, http })
  await expect(open({ basePath: 'crib?' })).rejects.toMatchObject({ code: 'invalid_config' })
  await expect(open({ basePath: '/crib', console: true })).rejects.toMatchObject({
    message: 'The console needs the root of a host',
  })
})

test('at the root of a host it serves the console, too, and after close nothing', async () => {
  const whole = await createCrib({ ...settings, store, http: { console: true } })
  const page = await whole.fetch(
    new Request('http://crib.example/tools', { headers: { accept: 'text/html' } }),
  )
  // Without the console there is no such page.
  expect([page.status, page.headers.get('location')]).toEqual([303, '/sign-in?next=%2Ftools'])
  await whole.close()
  const after = await whole.fetch(
    new Request('http://crib.example/api/v1/tools', { headers: { authorization: 'Bearer x' } }),
  )
  expect(after.status).toBe(503)
})
