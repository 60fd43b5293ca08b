import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mayBeHot, readHotCall } from './read-hot-call.ts'

const today = '2026-07-28'
const meta = {
  'io.modelcontextprotocol/protocolVersion': today,
  'io.modelcontextprotocol/clientCapabilities': {},
}
const modern = { 'mcp-protocol-version': today, 'mcp-method': 'tools/call', 'mcp-name': 'a_b' }
const usual = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'a_b', arguments: { x: 1 }, _meta: meta },
}
const older = { ...usual, params: { name: 'a_b', arguments: { x: 1 } } }

test('a plain call of either era is read', () => {
  const call = { id: 1, name: 'a_b', input: { x: 1 } }
  expect(readHotCall(modern, usual)).toEqual({ ...call, era: 'modern' })
  expect(readHotCall({}, older)).toEqual({ ...call, era: 'legacy' })
  expect(readHotCall({ 'mcp-protocol-version': '2025-06-18' }, older)).toEqual({
    ...call,
    era: 'legacy',
  })
})

test('any JSON is either a whole call or none', () => {
  const headers = fc.dictionary(fc.constantFrom(...Object.keys(modern)), fc.string())
  fc.assert(
    fc.property(headers, fc.jsonValue(), (given, body) => {
      const call = readHotCall(given, body)
      return call === undefined || typeof call.name === 'string'
    }),
  )
})

test('one field more than usual, anywhere, is left to the long way', () => {
  const field = fc.string({ minLength: 1 }).filter((key) => !(key in { ...usual, ...usual.params }))
  fc.assert(
    fc.property(field, fc.jsonValue(), (key, value) => {
      const inBody = { ...usual, [key]: value }
      const inParams = { ...usual, params: { ...usual.params, [key]: value } }
      return [inBody, inParams].every((body) => readHotCall(modern, body) === undefined)
    }),
  )
})

test.each([
  ['elicitation', { elicitation: {} }],
  ['sampling', { sampling: {} }],
  ['roots', { roots: {} }],
  ['tasks', { extensions: { 'io.modelcontextprotocol/tasks': {} } }],
])('a client with %s may be asked or come back, so it takes the long way', (_name, declared) => {
  const params = {
    ...usual.params,
    ['_meta']: { ...meta, 'io.modelcontextprotocol/clientCapabilities': declared },
  }
  expect(readHotCall(modern, { ...usual, params })).toBeUndefined()
})

test.each([
  ['a header of another name', { ...modern, 'mcp-name': 'c_d' }, usual],
  [
    'a name without its header',
    { 'mcp-protocol-version': today, 'mcp-method': 'tools/call' },
    usual,
  ],
  ['an envelope without headers', {}, usual],
  ['headers without an envelope', modern, older],
  ['an old version with an envelope', { ...modern, 'mcp-protocol-version': '2025-11-25' }, usual],
  ['a version nobody knows', { 'mcp-protocol-version': '1999-01-01' }, older],
  ['no id', modern, { ...usual, id: undefined }],
  ['an id that is a fraction', modern, { ...usual, id: 1.5 }],
])('%s is left to the long way', (_what, headers, body) => {
  expect(readHotCall(headers, body)).toBeUndefined()
})

test('sessions, other answers than JSON and packed bodies are seen by their headers', () => {
  const plain = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  }
  expect(mayBeHot(plain)).toBe(true)
  // Of this session nothing is kept, so nothing has to be looked up for it.
  const light = `light-${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}`
  expect(mayBeHot({ ...plain, 'mcp-session-id': light })).toBe(true)
  for (const more of [
    { 'mcp-session-id': 'x' },
    { accept: 'text/event-stream' },
    { 'content-type': 'text/plain' },
    { 'content-encoding': 'gzip' },
    { 'mcp-method': 'tools/list' },
  ]) {
    expect(mayBeHot({ ...plain, ...more })).toBe(false)
  }
})
