import { expect, test } from 'vitest'
import { parseConfig } from '../config/load-config.ts'
import { assertTokenAddress, createServerHosts, hostWarnings } from './server-hosts.ts'

const issuer = 'https://id.example.com'

/** The part of the configuration with the names of a server. */
function configure(server: Record<string, unknown>) {
  return parseConfig({ server }, undefined).server
}

test('a reachable server without a name gives a warning at its start', () => {
  const warned = (server: Record<string, unknown>, host: string) =>
    hostWarnings(createServerHosts(configure(server), host)).length > 0
  expect([
    warned({}, '0.0.0.0'),
    warned({}, '127.0.0.1'),
    warned({ publicUrl: 'https://crib.example.com' }, '0.0.0.0'),
    warned({ hosts: ['toolcrib'] }, '0.0.0.0'),
  ]).toEqual([true, false, false, false])
})

test('the public address is a name of the server', () => {
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
])('tokens can be accepted with %j on %s', (server, host, more) => {
  const config = configure({ ...server, oauth: { issuers: [{ issuer, ...more }] } })
  expect(() => assertTokenAddress(config, host)).not.toThrow()
})

test.each([
  [{}, '0.0.0.0'],
  [{}, '10.0.0.7'],
  [{ hosts: ['crib.example.com'] }, '127.0.0.1'],
])('a configuration whose tokens could never be valid is refused: %j on %s', (server, host) => {
  const config = configure({ ...server, oauth: { issuers: [{ issuer }] } })
  expect(() => assertTokenAddress(config, host)).toThrow('server.oauth needs server.publicUrl')
  expect(() => assertTokenAddress(configure(server), host)).not.toThrow()
})

test.each(['https://a.example', 'https://a.example/', 'http://10.0.0.7:4680'])(
  '%s is a valid public address',
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
