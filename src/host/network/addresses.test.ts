import { createServer as createTls } from 'node:https'
import { connect, type AddressInfo, createServer as createTcp } from 'node:net'
import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { atEnd, canary, network, openToMachine, serve } from './testing/canary.fixture.ts'
import { makeCertificates } from './testing/test-certificates.fixture.ts'

/** Spellings of this machine, from the collections of ssrfcheck, request-filtering-agent and PayloadsAllTheThings. */
const machine = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '127.127.127.127',
  '127.0.0.0',
  '0',
  '0.0.0.0',
  '0x0',
  '00',
  '0000',
  '2130706433',
  '017700000001',
  '0x7f000001',
  '0x7f.1',
  '0x7f.0x0.0x0.0x1',
  '0177.0.0.1',
  '0177.1',
  '0x7f.0.0.1',
  '127.0.0.1.',
  'localhost',
  'LOCALHOST',
  'localhost.',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  '127%2e0%2e0%2e1',
  'loc%61lhost',
  '%6c%6f%63%61%6c%68%6f%73%74',
  'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[0000::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[::7f00:1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[0:0:0:0:0:ffff:127.0.0.1]',
  '[::ffff:0:127.0.0.1]',
  '[fe80::1]',
  '[ff02::1]',
]

/** Private networks and the metadata of clouds. Nothing listens there: the refusal must come before a dial. */
const elsewhere = [
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '2852039166',
  '0xa9fea9fe',
  '0xa9.0xfe.0xa9.0xfe',
  '0251.0376.0251.0376',
  '[::ffff:169.254.169.254]',
  '[::ffff:a9fe:a9fe]',
  '[64:ff9b::a9fe:a9fe]',
  '[fd00:ec2::254]',
  '169.254.170.2',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '192.0.0.8',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '[fc00::1]',
  '[2001:db8::1]',
  '[2001::1]',
  '[4000::1]',
  '[100::1]',
]

const own = Object.values(networkInterfaces())
  .flatMap((list) => list ?? [])
  .filter(({ scopeid }) => scopeid === undefined || scopeid === 0)
  .map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address))

test.each([...machine, ...own])('%s is not dialled', async (host) => {
  const { port, hits } = await canary()
  const fetch = network().fetchFor({ key: 'a' })
  await expect(fetch(`http://${host}:${port}/`)).rejects.toBeInstanceOf(Error)
  expect(hits()).toBe(0)
})

test.each(elsewhere)('%s is refused', async (host) => {
  const fetch = network().fetchFor({ key: 'a' })
  await expect(fetch(`http://${host}/`)).rejects.toMatchObject({ code: 'forbidden' })
})

test('the refusal of a private address is reported with its host', async () => {
  const refused: unknown[] = []
  const guard = {
    assertMayReach: () => undefined,
    onRefused: (...refusal: unknown[]) => void refused.push(refusal),
  }
  const fetch = network().fetchFor({ key: 'a' }, guard)
  await expect(fetch('http://169.254.169.254/latest/')).rejects.toMatchObject({ code: 'forbidden' })
  const reason = '169.254.169.254 is not an address of the public internet'
  expect(refused).toEqual([['169.254.169.254', 80, reason]])
})

test('a name with one forbidden address is not dialled at any', async () => {
  const { port, hits } = await canary()
  const lookUp = async () => ['93.184.216.34', '127.0.0.1']
  const fetch = network({ lookUp }).fetchFor({ key: 'a' })
  await expect(fetch(`http://mixed.example:${port}/`)).rejects.toMatchObject({ code: 'forbidden' })
  expect(hits()).toBe(0)
})

test('the checked address is dialled, whatever the name resolves to later', async () => {
  const { port, hits } = await canary()
  const answers = [['127.0.0.2'], ['127.0.0.1']]
  const asked: string[] = []
  const lookUp = async (host: string) => {
    asked.push(host)
    return answers[asked.length - 1] ?? ['127.0.0.1']
  }
  // Only the first answer is allowed.
  const fetch = network({ addresses: ['127.0.0.2'], lookUp }).fetchFor({ key: 'a' })
  expect(await (await fetch(`http://rebound.example:${port}/`)).text()).toBe('inside')
  expect([asked.length, hits()]).toEqual([1, 1])
  const other = network({ addresses: ['127.0.0.2'], lookUp }).fetchFor({ key: 'b' })
  await expect(other(`http://rebound.example:${port}/`)).rejects.toMatchObject({
    code: 'forbidden',
  })
  expect(hits()).toBe(1)
})

test('a resolver that answers with nonsense, or never, opens nothing', async () => {
  for (const lookUp of [async () => ['not an address'], async () => []]) {
    const fetch = network({ lookUp }).fetchFor({ key: 'a' })
    await expect(fetch('http://odd.example/')).rejects.toBeInstanceOf(Error)
  }
})

test('rules are asked for every redirect, and routes share no connections', async () => {
  const { port: inside, hits } = await canary()
  const sockets: Record<string, Set<unknown>> = {}
  const port = await serve((request, response) => {
    const route = String(request.headers['x-route'])
    ;(sockets[route] ??= new Set()).add(request.socket)
    if (request.url === '/') return response.end()
    response.writeHead(302, { location: `http://127.0.0.1:${inside}/` }).end()
  })
  const open = openToMachine()
  const guard = {
    assertMayReach(_host: string, asked: number) {
      if (asked !== port) throw new Error('closed by a rule')
    },
  }
  const url = `http://127.0.0.1:${port}/`
  await expect(open.fetchFor({ key: 'a' }, guard)(`${url}x`)).rejects.toThrow('closed by a rule')
  expect(hits()).toBe(0)
  for (const key of ['b', 'b', 'c', 'b', 'c']) {
    await (await open.fetchFor({ key })(url, { headers: { 'x-route': key } })).text()
  }
  expect([...(sockets['b'] ?? [])].filter((socket) => sockets['c']?.has(socket))).toEqual([])
  expect([sockets['b']?.size, sockets['c']?.size]).not.toContain(undefined)
})

test('variables that name a proxy have no effect', async () => {
  const proxy = await canary()
  const { port, hits } = await canary()
  const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY']
  for (const name of names) process.env[name] = `http://127.0.0.1:${proxy.port}`
  try {
    const fetch = openToMachine().fetchFor({ key: 'a' })
    await (await fetch(`http://127.0.0.1:${port}/`)).text()
  } finally {
    for (const name of names) delete process.env[name]
  }
  expect([hits(), proxy.hits()]).toEqual([1, 0])
})

test('a server with a certificate of a private authority is trusted by its route only', async () => {
  const { ca, cert, key } = makeCertificates()
  const server = createTls({ cert, key }, (_request, response) => response.end('secure'))
  await new Promise<void>((resolve) => server.listen(0, resolve))
  atEnd(() => server.close())
  const url = `https://localhost:${(server.address() as AddressInfo).port}/`
  const open = openToMachine({ addresses: ['localhost'] })
  const response = await open.fetchFor({ key: 'private', tls: { ca } })(url)
  expect(await response.text()).toBe('secure')
  await expect(open.fetchFor({ key: 'public' })(url)).rejects.toBeInstanceOf(Error)
  // The name is checked as well as the authority.
  const byAddress = open.fetchFor({
    key: 'private',
    tls: { ca },
    trusted: [new URL('https://127.0.0.2')],
  })
  await expect(byAddress(url.replace('localhost', '127.0.0.2'))).rejects.toBeInstanceOf(Error)
  server.closeAllConnections()
})

test('a client certificate belongs to its route', async () => {
  const { ca, cert, key } = makeCertificates()
  const server = createTls(
    { cert, key, ca, requestCert: true, rejectUnauthorized: true },
    (_, response) => response.end('known'),
  )
  await new Promise<void>((resolve) => server.listen(0, resolve))
  atEnd(() => server.close())
  const url = `https://localhost:${(server.address() as AddressInfo).port}/`
  const open = openToMachine({ addresses: ['localhost'] })
  const response = await open.fetchFor({ key: 'known', tls: { ca, cert, key } })(url)
  expect(await response.text()).toBe('known')
  await expect(open.fetchFor({ key: 'unknown', tls: { ca } })(url)).rejects.toBeInstanceOf(Error)
  server.closeAllConnections()
})

test('a plain connection has the same rules, and the ports that its pack names', async () => {
  let connections = 0
  const server = createTcp((socket) => {
    connections++
    socket.end('220 ready\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => server.close())
  const { port } = server.address() as AddressInfo
  const target = { host: '127.0.0.1', port, ports: [port] }
  await expect(network().dial({ key: 'a' }, target)).rejects.toMatchObject({ code: 'forbidden' })
  const open = openToMachine()
  await expect(open.dial({ key: 'a' }, { ...target, ports: [25] })).rejects.toMatchObject({
    code: 'forbidden',
  })
  expect(connections).toBe(0)
  const socket = await open.dial({ key: 'a' }, target)
  let greeting = ''
  for await (const chunk of socket) greeting += String(chunk)
  expect(greeting).toBe('220 ready\r\n')
  const closed = await new Promise<Error>((resolve) => connect(1, '127.0.0.1').on('error', resolve))
  expect(closed).toBeInstanceOf(Error)
})
