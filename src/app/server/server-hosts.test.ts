import { expect, test } from 'vitest'
import { parseConfig } from '../config/load-config.ts'
import { assertTokenAddress, createServerHosts, hostWarnings } from './server-hosts.ts'

const issuer = 'https://id.example.com'

/** The part of the configuration that says under which names a server is known. */
function configure(server: Record<string, unknown>) {
  return parseConfig({ server }, undefined).server
}

test('who starts a server that others reach is told when it has no name', () => {
  const warned = (server: Record<string, unknown>, host: string) =>
    hostWarnings(createServerHosts(configure(server), host)).length > 0
  expect([
    warned({}, '0.0.0.0'),
    warned({}, '127.0.0.1'),
    warned({ publicUrl: 'https://crib.example.com' }, '0.0.0.0'),
    warned({ hosts: ['toolcrib'] }, '0.0.0.0'),
  ]).toEqual([true, false, false, false])
})

test('the address that people use is a name of the server', () => {
  const { isOwn } = createServerHosts(
    configure({ publicUrl: 'https://Crib.example.com:8443', hosts: ['toolcrib'] }),
    '0.0.0.0',
  )
  expect(['crib.example.com', 'toolcrib:4680', 'evil.example'].map(isOwn)).toEqual([
    true,
    true,
    false,
  ])
})

test.each([
  [{ publicUrl: 'https://crib.example.com' }, '0.0.0.0', {}],
  [{}, '127.0.0.1', {}],
  [{}, '0.0.0.0', { audience: ['crib'] }],
])('tokens may be taken with %j on %s', (server, host, more) => {
  const config = configure({ ...server, oauth: { issuers: [{ issuer, ...more }] } })
  expect(() => assertTokenAddress(config, host)).not.toThrow()
})

test.each([
  [{}, '0.0.0.0'],
  [{}, '10.0.0.7'],
  [{ hosts: ['crib.example.com'] }, '127.0.0.1'],
])('tokens that could never be good are no configuration: %j on %s', (server, host) => {
  const config = configure({ ...server, oauth: { issuers: [{ issuer }] } })
  expect(() => assertTokenAddress(config, host)).toThrow('server.oauth needs server.publicUrl')
  expect(() => assertTokenAddress(configure(server), host)).not.toThrow()
})

test.each(['https://a.example', 'https://a.example/', 'http://10.0.0.7:4680'])(
  '%s is an address that people use',
  (publicUrl) => expect(configure({ publicUrl }).publicUrl).toBe(publicUrl),
)

test.each([
  'https://a.example/crib',
  'https://a.example?x',
  'https://me:secret@a.example',
  'ftp://a.example',
  'a.example',
])('%s is not', (publicUrl) => {
  expect(() => configure({ publicUrl })).toThrow('/server/publicUrl')
})
