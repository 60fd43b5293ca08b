import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { parseAddressList } from '../../core/net/address-list.ts'
import { toPortRule } from '../../core/net/port-rule.ts'
import { toDialRule } from './dial-rule.ts'
import { createGuardedAgent, createGuardedFetch } from './guarded-fetch.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => server.close())
  return (server.address() as AddressInfo).port
}

function guard(options: { list?: string[]; trusted?: string[] } = {}) {
  const trusted = options.trusted?.map((host) => new URL(`http://${host}/`))
  const allowed = parseAddressList(options.list ?? [])
  if (allowed === undefined) throw new Error('a list that can not be read')
  const guarded = createGuardedFetch({ rule: toDialRule({ allowed, trusted }) })
  closers.push(guarded.close)
  return guarded.fetch
}

test('no spelling of this machine is dialled', async () => {
  let hits = 0
  const port = await serve((_request, response) => {
    hits++
    response.end('inside')
  })
  const fetch = guard()
  const hosts = ['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', '0.0.0.0']
  for (const host of hosts) {
    await expect(fetch(`http://${host}:${port}/`)).rejects.toMatchObject({
      code: 'forbidden',
    })
  }
  expect(hits).toBe(0)
})

test('a host that is trusted, or on the list, is dialled', async () => {
  const port = await serve((_request, response) => response.end('inside'))
  const byName = await guard({ trusted: ['LocalHost'] })(`http://localhost:${port}/`)
  const byNetwork = await guard({ list: ['127.0.0.0/8'] })(`http://127.0.0.1:${port}/`)
  expect([await byName.text(), await byNetwork.text()]).toEqual(['inside', 'inside'])
  expect(byName).toBeInstanceOf(Response)
})

test('a redirect into the machine is not followed', async () => {
  let hits = 0
  const inside = await serve((_request, response) => {
    hits++
    response.end('inside')
  })
  const port = await serve((_request, response) => {
    response.writeHead(302, { location: `http://127.0.0.2:${inside}/` }).end()
  })
  await expect(
    guard({ trusted: ['127.0.0.1'] })(`http://127.0.0.1:${port}/`),
  ).rejects.toMatchObject({
    code: 'forbidden',
  })
  expect(hits).toBe(0)
})

test('another origin gets no header that identifies the caller, and no request with a body', async () => {
  const seen: (string | undefined)[] = []
  const other = await serve((request, response) => {
    seen.push(request.headers.authorization, request.headers['x-api-key'] as string | undefined)
    response.end('there')
  })
  const port = await serve((_request, response) => {
    response.writeHead(307, { location: `http://127.0.0.1:${other}/` }).end()
  })
  const fetch = guard({ trusted: ['127.0.0.1'] })
  const headers = { authorization: 'Bearer t', 'x-api-key': 'k' }
  expect(await (await fetch(`http://127.0.0.1:${port}/`, { headers })).text()).toBe('there')
  expect(seen).toEqual([undefined, undefined])
  await expect(
    fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}', headers }),
  ).rejects.toMatchObject({ code: 'upstream_failed' })
})

test('redirects end after a few', async () => {
  const port = await serve((_request, response) => {
    response.writeHead(302, { location: '/again' }).end()
  })
  const fetch = guard({ trusted: ['127.0.0.1'] })
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({
    message: `127.0.0.1:${port} sends its callers elsewhere`,
  })
  expect((await fetch(`http://127.0.0.1:${port}/`, { redirect: 'manual' })).status).toBe(302)
})

test('addresses with a password, and other schemes, are refused', async () => {
  const fetch = guard()
  for (const url of ['http://a:b@example.com/', 'file:///etc/passwd', 'ftp://example.com/']) {
    await expect(fetch(url)).rejects.toMatchObject({ code: 'invalid_request' })
  }
})

test('a refused connection is reported as such', async () => {
  const fetch = guard({ trusted: ['127.0.0.1'] })
  const port = await serve(() => undefined)
  await closers.pop()?.()
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toSatisfy((error: Error) =>
    `${error.message} ${String(error.cause)}`.includes('ECONNREFUSED'),
  )
})

test('ports of other protocols and privileged ones are not dialled, nor redirected to', async () => {
  const port = await serve((request, response) => {
    response.writeHead(302, { location: `http://127.0.0.1:${request.url?.slice(1)}/` }).end()
  })
  const fetch = guard({ list: ['127.0.0.1'] })
  for (const closed of [81, 444, 1023]) {
    const refusal = {
      code: 'forbidden',
      message: `Port ${closed} is not open for outgoing requests`,
    }
    await expect(fetch(`http://127.0.0.1:${closed}/`)).rejects.toMatchObject(refusal)
    await expect(fetch(`http://127.0.0.1:${port}/${closed}`)).rejects.toMatchObject(refusal)
  }
  const agent = createGuardedAgent({ rule: toDialRule({ allowed: () => true }) })
  closers.push(() => agent.destroy())
  for (const closed of [25, 6000]) {
    await expect(
      agent.request({ origin: `http://127.0.0.1:${closed}`, path: '/', method: 'POST' }),
    ).rejects.toMatchObject({ code: 'forbidden' })
  }
})

test('an address that an operator has named may have a privileged port, and only that one', async () => {
  const rule = toDialRule({
    allowed: () => false,
    ports: toPortRule([444]),
    trusted: [new URL('http://[::1]:81/mcp')],
  })
  expect([81, 82, 444, 25].map((port) => rule.mayUsePort('::1', port))).toEqual([
    undefined,
    'privileged',
    undefined,
    'other protocol',
  ])
  expect(rule.mayUsePort('127.0.0.1', 81)).toBe('privileged')
})
