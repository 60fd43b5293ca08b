import { mkdtemp, rm, stat } from 'node:fs/promises'
import { createServer as createTls } from 'node:https'
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { connect as connectSocket, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { expect, test } from 'vitest'
import type { DoorOptions } from '../../../core/host/host-network.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import { atEnd, canary, network, openToMachine, serve } from '../testing/canary.fixture.ts'
import { makeCertificates } from '../testing/test-certificates.fixture.ts'

const denied = new ToolError('denied', 'example.com is not on the list', { fix: 'Ask an admin.' })

async function openDoor(changes: Partial<DoorOptions> = {}, open = openToMachine()) {
  const folder = await mkdtemp(join(tmpdir(), 'egress-'))
  const asked: string[] = []
  const guard = {
    assertMayReach(host: string, port: number) {
      asked.push(`${host}:${port}`)
      if (host === 'example.com') throw denied
    },
  }
  const route = { key: 'door' }
  const door = await open.openDoor({ route, guard, folder, owner: undefined, ...changes })
  atEnd(async () => {
    await door.close()
    await rm(folder, { recursive: true })
  })
  return { ...door, asked, folder }
}

interface Answer {
  status: number | undefined
  headers: IncomingMessage['headers']
  text: string
}

async function answerTo(request: ClientRequest, body?: string): Promise<Answer> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.on('response', resolve).on('error', reject)
    request.end(body)
  })
  let text = ''
  for await (const chunk of response) text += String(chunk)
  return { status: response.statusCode, headers: response.headers, text }
}

/** A request as a program sends it to a proxy. */
function ask(socketPath: string, url: string, options: object = {}) {
  return httpRequest({ socketPath, path: url, headers: { host: new URL(url).host }, ...options })
}

async function openTunnel(
  socketPath: string,
  target: string,
): Promise<{ socket: Socket; head: string }> {
  const socket = connectSocket(socketPath)
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`)
  const head = await new Promise<string>((resolve, reject) => {
    socket.once('data', (data) => resolve(String(data))).once('error', reject)
  })
  return { socket, head }
}

test('a plain request is passed on as it is, without headers of the connection', async () => {
  const seen: unknown[] = []
  const port = await serve(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const {
      host,
      connection,
      'proxy-authorization': login,
      'x-kept': kept,
      'x-dropped': dropped,
    } = request.headers
    seen.push({ url: request.url, host, connection, login, kept, dropped, body })
    response.writeHead(201, { 'x-answer': 'yes', 'set-cookie': ['a=1', 'b=2'] }).end('made')
  })
  const { socket, asked } = await openDoor()
  const headers = {
    host: 'elsewhere.example',
    connection: 'x-dropped',
    'x-dropped': '1',
    'proxy-authorization': 'Basic x',
    'x-kept': '1',
  }
  const url = `http://127.0.0.1:${port}/a?b=1`
  const answer = await answerTo(ask(socket, url, { method: 'POST', headers }), 'body')
  expect(answer).toMatchObject({ status: 201, text: 'made' })
  expect(answer.headers).toMatchObject({ 'x-answer': 'yes', 'set-cookie': ['a=1', 'b=2'] })
  expect(seen).toEqual([
    {
      url: '/a?b=1',
      host: `127.0.0.1:${port}`,
      connection: 'keep-alive',
      login: undefined,
      kept: '1',
      dropped: undefined,
      body: 'body',
    },
  ])
  expect(asked).toEqual([`127.0.0.1:${port}`])
})

test('a denied host is answered with 403 and the reason, plain and by CONNECT', async () => {
  const { socket } = await openDoor()
  const text = 'Toolcrib: example.com is not on the list\nAsk an admin.\n'
  expect(await answerTo(ask(socket, 'http://example.com/'))).toMatchObject({ status: 403, text })
  const { head } = await openTunnel(socket, 'EXAMPLE.com:443')
  expect(head).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/)
  expect(head.endsWith(`\r\n\r\n${text}`)).toBe(true)
})

test('addresses of this machine are refused in every spelling', async () => {
  const { port, hits } = await canary()
  const { socket } = await openDoor({}, network())
  for (const host of [
    '127.0.0.1',
    'localhost',
    '0x7f.1',
    '[::1]',
    '[::ffff:7f00:1]',
    '0',
    '2130706433',
  ]) {
    expect(await answerTo(ask(socket, `http://${host}:${port}/`))).toMatchObject({ status: 403 })
    const { head } = await openTunnel(socket, `${host}:${port}`)
    expect(head).toMatch(/^HTTP\/1\.1 403/)
  }
  expect(hits()).toBe(0)
})

test('a name is closed when its addresses are, and each refusal is reported', async () => {
  const { port, hits } = await canary()
  let times = 0
  const answers: Record<string, () => string[]> = {
    'inside.example': () => ['127.0.0.1'],
    'both.example': () => ['93.184.216.34', '127.0.0.1'],
    'metadata.example': () => ['169.254.169.254'],
    'mapped.example': () => ['::ffff:127.0.0.1'],
    // Another answer each time: what is dialled is what was checked.
    'rebinding.example': () => (times++ % 2 === 0 ? ['127.0.0.1'] : ['93.184.216.34']),
  }
  const refused: string[] = []
  const guard = {
    assertMayReach: () => undefined,
    onRefused: (host: string, at: number) => void refused.push(`${host}:${at}`),
  }
  const lookUp = async (host: string) => answers[host]?.() ?? []
  const { socket } = await openDoor({ guard }, network({ lookUp }))
  for (const host of Object.keys(answers)) {
    expect((await openTunnel(socket, `${host}:${port}`)).head).toMatch(/^HTTP\/1\.1 403/)
    times = 0
    expect(await answerTo(ask(socket, `http://${host}:${port}/`))).toMatchObject({ status: 403 })
  }
  expect(hits()).toBe(0)
  const each = Object.keys(answers).flatMap((host) => [`${host}:${port}`, `${host}:${port}`])
  expect(refused).toEqual(each)
  await openTunnel(socket, 'inside.example:25')
  expect(refused.at(-1)).toBe('inside.example:25')
})

test('a tunnel carries TLS end to end', async () => {
  const { ca, cert, key } = makeCertificates()
  const server = createTls({ cert, key }, (_request, response) => response.end('secure'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => server.close())
  const { port } = server.address() as AddressInfo
  const { socket } = await openDoor()
  const tunnel = await openTunnel(socket, `127.0.0.1:${port}`)
  expect(tunnel.head).toBe('HTTP/1.1 200 Connection Established\r\n\r\n')
  const secure = connectTls({ socket: tunnel.socket, ca, servername: 'localhost' })
  secure.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  let text = ''
  for await (const chunk of secure) text += String(chunk)
  expect(text.endsWith('secure')).toBe(true)
})

test('malformed targets open nothing', async () => {
  const { socket, asked } = await openDoor()
  for (const target of ['example.org', 'a@b:80', 'x:99999', ':80', 'a/b:80', '%00:80']) {
    const { head } = await openTunnel(socket, target)
    expect(head).toMatch(/^HTTP\/1\.1 4\d\d/)
  }
  const ftp = httpRequest({ socketPath: socket, path: 'ftp://example.org/' })
  expect(await answerTo(ftp)).toMatchObject({ status: 400 })
  const login = httpRequest({ socketPath: socket, path: 'http://a:b@example.org/' })
  expect(await answerTo(login)).toMatchObject({ status: 400 })
  expect(asked).toEqual([])
})

test('ports of other protocols are closed to tunnels', async () => {
  const { socket } = await openDoor()
  for (const port of [22, 25, 81]) {
    expect((await openTunnel(socket, `127.0.0.1:${port}`)).head).toMatch(/^HTTP\/1\.1 403/)
  }
})

test('a relay answers for its name only', async () => {
  const seen: unknown[] = []
  const relays = {
    git: async (request: Request) => {
      const { method, url } = request
      seen.push([method, url, request.headers.get('x-a'), await request.text()])
      return new Response('from the relay', { status: 202, headers: { 'x-b': '2' } })
    },
  }
  const { socket, asked } = await openDoor({ relays })
  const options = { method: 'POST', headers: { host: 'git.internal', 'x-a': '1' } }
  const answer = await answerTo(ask(socket, 'http://git.internal/repo?x=1', options), 'packet')
  expect(answer).toMatchObject({ status: 202, text: 'from the relay' })
  expect(answer.headers).toMatchObject({ 'x-b': '2' })
  expect(seen).toEqual([['POST', 'http://git.internal/repo?x=1', '1', 'packet']])
  expect(await answerTo(ask(socket, 'http://other.internal/'))).toMatchObject({ status: 403 })
  expect(await answerTo(ask(socket, 'http://constructor.internal/'))).toMatchObject({ status: 403 })
  expect(asked).toEqual([])
})

test('a relay is aborted when its client disconnects', async () => {
  const { promise, resolve } = Promise.withResolvers<AbortSignal>()
  const relays = {
    slow: (_request: Request, signal: AbortSignal) => {
      resolve(signal)
      return new Promise<Response>(() => undefined)
    },
  }
  const { socket } = await openDoor({ relays })
  const request = ask(socket, 'http://slow.internal/')
  request.on('error', () => undefined).end()
  const signal = await promise
  request.destroy()
  await expect.poll(() => signal.aborted).toBe(true)
})

test('only the owner may connect, and nothing is left after closing', async () => {
  const port = await serve((_request, response) => void response.write('first'))
  const { socket, close } = await openDoor()
  expect((await stat(socket)).mode & 0o777).toBe(0o600)
  const { socket: tunnel } = await openTunnel(socket, `127.0.0.1:${port}`)
  const ended = new Promise((resolve) => tunnel.once('close', resolve))
  const running = answerTo(ask(socket, `http://127.0.0.1:${port}/`)).catch(() => 'cut off')
  await close()
  await ended
  expect(await running).toBe('cut off')
  await expect(stat(socket)).rejects.toMatchObject({ code: 'ENOENT' })
})

test('a folder whose path is too long for a socket is reported', async () => {
  const folder = join(tmpdir(), 'x'.repeat(120))
  const route = { key: 'door' }
  const guard = { assertMayReach: () => undefined }
  await expect(
    network().openDoor({ route, guard, folder, owner: undefined }),
  ).rejects.toMatchObject({ code: 'invalid_config' })
})
