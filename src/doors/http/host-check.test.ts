import { expect, test } from 'vitest'
import { createHostCheck, type HostCheckOptions, isLoopback } from './host-check.ts'
import { serveHttp } from './serve-http.ts'
import { useDoors } from './testing/open-door.ts'
import { connectRaw } from './testing/raw-client.ts'

const page = (host: string) => `http://${host}`
const machine = 'workbench'
const openDoor = useDoors()

test('loopback is this machine alone', () => {
  const hosts = [
    'localhost',
    '127.0.0.1',
    '127.8.9.10',
    '::1',
    '0.0.0.0',
    '10.0.0.1',
    '127.0.0.1.evil',
    '',
  ]
  expect(hosts.filter(isLoopback)).toEqual(['localhost', '127.0.0.1', '127.8.9.10', '::1'])
})

/** The request headers of these, without a page and from a page of the same origin. */
function admitted(options: HostCheckOptions, hosts: readonly string[], url = '/mcp') {
  const check = createHostCheck({ machine, ...options })
  const plain = hosts.filter((host) => check.admits({ headers: { host }, url }))
  const pages = hosts.filter((host) => check.admits({ headers: { host, origin: page(host) }, url }))
  return { plain, pages, own: hosts.filter(check.isOwn) }
}

const own = ['localhost', 'LOCALHOST:4680', '127.0.0.1:4680', '[::1]:4680']
const addresses = ['10.0.0.7:4680', '[fd00::7]:4680']
const foreign = ['evil.example', 'localhost.evil.example', '10.0.0.7.evil.example:80', 'toolcrib']

test('on loopback only its own names count, and those that are configured', () => {
  const hosts = [...own, ...addresses, ...foreign, 'crib.test:80', machine]
  const options = { listensAt: '127.0.0.1', allowed: ['crib.test'] }
  const expected = [...own, 'crib.test:80']
  expect(admitted(options, hosts)).toEqual({ plain: expected, pages: expected, own: expected })
  expect(admitted(options, ['evil.example'], '/healthz').plain).toEqual([])
})

test('elsewhere, what is configured counts, and addresses, which DNS has no say in', () => {
  const hosts = [
    ...own,
    ...addresses,
    ...foreign,
    'Crib.Test',
    'other.test:8443',
    'other.test',
    machine,
  ]
  const options = { listensAt: '0.0.0.0', allowed: ['crib.test', 'other.test:8443'] }
  const expected = [...own, ...addresses, 'Crib.Test', 'other.test:8443']
  expect(admitted(options, hosts)).toEqual({ plain: expected, pages: expected, own: expected })
})

test('health answers every program, but no page', () => {
  const options = { listensAt: '0.0.0.0', allowed: ['crib.test'] }
  for (const url of ['/healthz', '/readyz']) {
    expect(admitted(options, ['node-1:4680'], url)).toEqual({
      plain: ['node-1:4680'],
      pages: [],
      own: [],
    })
  }
})

test('where no name is configured, programs come in by any, and pages by no foreign one', () => {
  const hosts = [...own, ...addresses, ...foreign, 'WorkBench:4680']
  const expected = [...own, ...addresses, 'WorkBench:4680']
  expect(admitted({ listensAt: '0.0.0.0' }, hosts)).toEqual({
    plain: hosts,
    pages: expected,
    own: expected,
  })
  expect(admitted({ listensAt: 'crib.lan' }, ['crib.lan:4680']).pages).toEqual(['crib.lan:4680'])
})

test('a request that names no host comes from no browser, and gets in where others do', () => {
  const admits = (options: HostCheckOptions) =>
    createHostCheck(options).admits({ headers: {}, url: '/mcp' })
  expect([
    admits({ listensAt: '127.0.0.1' }),
    admits({ listensAt: '0.0.0.0' }),
    admits({ listensAt: '0.0.0.0', allowed: ['crib.test'] }),
  ]).toEqual([false, true, true])
})

test.each(['127.0.0.1', '0.0.0.0'])('a server on %s refuses with a fix', async (host) => {
  const { app } = openDoor()
  const hosts = createHostCheck({ listensAt: host, allowed: ['crib.test'] })
  const server = await serveHttp(app, { port: 0, host, hosts })
  const answerTo = async (name: string) => {
    const client = await connectRaw(server.port)
    client.send(`GET /docs HTTP/1.1\r\nhost: ${name}\r\nconnection: close\r\n\r\n`)
    return client.closed
  }
  for (const name of ['localhost', `127.0.0.1:${server.port}`, 'crib.test:80']) {
    expect(await answerTo(name)).toMatch(/^HTTP\/1.1 200 /)
  }
  expect(await answerTo('evil.example')).toMatch(
    /^HTTP\/1.1 403 [\s\S]*"code":"forbidden"[\s\S]*server\.hosts/,
  )
  await server.close()
})
