import { expect, test } from 'vitest'
import { mcpServerSchema } from '../../core/gateway/server-spec.ts'
import { findPlainSecrets } from './plain-secrets.ts'

const pathsOf = (spec: object) =>
  findPlainSecrets(mcpServerSchema.parse(spec)).map(({ path }) => path)

test('references, and values that are plainly not secret, are left alone', () => {
  const url = 'https://docs.example/mcp?version=2&q=notes'
  const headers = {
    authorization: 'Bearer secret:docs_token',
    'x-api-key': 'secret:key',
    accept: 'application/json, text/event-stream',
    'x-trace': 'a-long-name-for-a-trace-of-this-installation',
  }
  expect(pathsOf({ url, headers })).toEqual([])
  const args = [
    '-y',
    '@modelcontextprotocol/server-filesystem',
    '/srv/some/rather/long/folder/name',
  ]
  const env = {
    TOKEN: 'secret:token',
    HOME: '/srv/mcp',
    NODE_ENV: 'production',
    LEVEL: 'env:LEVEL',
  }
  expect(pathsOf({ command: 'npx', args, env })).toEqual([])
})

test('tokens are found in every place', () => {
  const random = 'kJ8sN2pQ7vX4mZ1cR6tY9wB3dF5gH0lA'
  expect(
    pathsOf({
      url: `https://docs.example/mcp?token=${random}`,
      headers: { authorization: `Bearer ${random}`, 'x-note': random, cookie: 'session=1' },
      oauth: { clientId: 'crib', clientSecret: random },
    }),
  ).toEqual([
    '/headers/authorization',
    '/headers/x-note',
    '/headers/cookie',
    '/url',
    '/oauth/clientSecret',
  ])
  const args = [
    '--token',
    'hunter22',
    `--key=${random}`,
    'sk-abcdefghijklmnopqrstuv',
    '--port',
    '8080',
  ]
  expect(pathsOf({ command: 'npx', args, env: { DB_PASSWORD: 'hunter22' } })).toEqual([
    '/env/DB_PASSWORD',
    '/args/1',
    '/args/2',
    '/args/3',
  ])
})
