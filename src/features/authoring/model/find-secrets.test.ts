import { expect, test } from 'vitest'
import { findSecrets } from './find-secrets.ts'
import type { ToolDocument } from './tool-document.ts'

const token = `sk_live_${'a1B2'.repeat(6)}`
const found = (spec: object, more: object = {}) => {
  const document = { name: 'a.b', description: 'x', inputSchema: {}, spec, ...more } as ToolDocument
  return findSecrets(document).map(({ path, severity }) => [path, severity])
}

test('a pasted token is an error wherever it is, and is never repeated', () => {
  const findings = findSecrets({
    name: 'a.b',
    description: 'x',
    inputSchema: { type: 'object', properties: { key: { default: token } } },
    examples: [{ label: 'One', input: { key: token } }],
    spec: { kind: 'code', source: `const key = '${token}'` },
  } as ToolDocument)
  expect(findings.map(({ path, severity }) => [path, severity])).toEqual([
    ['/spec/source', 'error'],
    ['/examples/0/input/key', 'error'],
    ['/inputSchema/properties/key/default', 'error'],
  ])
  expect(JSON.stringify(findings)).not.toContain(token)
})

test('random words are warnings, and so are values of headers such as authorization', () => {
  expect(
    found({ kind: 'http', headers: { authorization: 'Basic dXNlcjpwYXNz', accept: 'text/html' } }),
  ).toEqual([['/spec/headers/authorization', 'warning']])
  expect(found({ kind: 'http', query: { q: '9f8A7b6C5d4E3f2A1b0C9d8E7f6A5b4C' } })).toEqual([
    ['/spec/query/q', 'warning'],
  ])
})

test('names of secrets, references and ordinary texts pass', () => {
  expect(
    found({
      kind: 'http',
      url: 'https://api.test/a-long-path/with-many-words/and-more-of-them',
      headers: { authorization: 'Bearer secret:crm_key', 'x-token': '{{input.token}}' },
      body: { author: 'Ada Lovelace', text: 'The quick brown fox jumps over the lazy dog.' },
    }),
  ).toEqual([])
})

test('a document full of them gives few findings', () => {
  const steps = Array.from({ length: 100 }, (_, index) => ({ id: `s${index}`, input: { token } }))
  expect(found({ kind: 'composition', steps })).toHaveLength(10)
})
