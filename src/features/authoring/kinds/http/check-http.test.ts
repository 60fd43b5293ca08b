import { expect, test } from 'vitest'
import { checkHttp } from './check-http.ts'
import { httpKind } from './http-kind.ts'
import type { HttpSpec } from './http-spec.ts'

const inputSchema = {
  type: 'object',
  properties: { id: { type: 'string' }, who: { type: 'object', properties: { name: {} } } },
}

function toDocument(given: Partial<HttpSpec>) {
  const spec: HttpSpec = { kind: 'http', method: 'GET', url: 'https://api.test/', ...given }
  return { name: 'crm.test', description: 'Test', inputSchema, spec }
}

const find = (given: Partial<HttpSpec>) => checkHttp(toDocument(given))
const paths = (given: Partial<HttpSpec>) => find(given).map(({ path }) => path)

test('a sound request has no findings', () => {
  const findings = find({
    method: 'POST',
    url: 'https://api.test/{{input.id}}?a={{input.who.name}}',
    query: { key: 'secret:crm_key', id: '{{input.id}}' },
    headers: { authorization: 'Bearer secret:crm_key' },
    body: { id: '{{input.id}}', call: '{{call.id}}' },
    pick: 'body.items',
  })
  expect(findings).toEqual([])
})

test.each<[string, Partial<HttpSpec>, string]>([
  ['a templated host', { url: 'https://{{input.id}}/' }, '/spec/url'],
  ['a secret in the path', { url: 'https://api.test/secret:crm_key' }, '/spec/url'],
  ['a secret in the query of the url', { url: 'https://api.test/?k=secret:crm_key' }, '/spec/url'],
  ['a secret in the body', { method: 'POST', body: { a: ['secret:x'] } }, '/spec/body'],
  ['a secret in what is picked', { pick: 'secret:x' }, '/spec/pick'],
  ['a secret chosen by the caller', { headers: { a: 'secret:{{input.id}}' } }, '/spec/headers/a'],
  ['half a secret by the caller', { headers: { a: 'secret:x{{input.id}}' } }, '/spec/headers/a'],
  ['a secret in a list', { query: { a: ['secret:x'] } }, '/spec/query/a'],
  ['a host header', { headers: { Host: 'evil.test' } }, '/spec/headers/Host'],
  ['a header of a proxy', { headers: { 'X-Forwarded-For': 'x' } }, '/spec/headers/X-Forwarded-For'],
  ['a header with a space', { headers: { 'a b': 'x' } }, '/spec/headers/a b'],
  ['a line break in a header', { headers: { a: 'x\r\nb: y' } }, '/spec/headers/a'],
  ['a body of GET', { body: { a: 1 } }, '/spec/body'],
  ['a form without fields', { method: 'POST', bodyType: 'form', body: [1] }, '/spec/body'],
  ['a misspelt input', { query: { a: '{{input.idd}}' } }, '/spec/query/a'],
  ['a misspelt nested input', { query: { a: '{{input.who.nam}}' } }, '/spec/query/a'],
  ['an unknown root', { query: { a: '{{env.HOME}}' } }, '/spec/query/a'],
  ['secrets as a root', { query: { a: '{{secrets.crm_key}}' } }, '/spec/query/a'],
  ['braces without a path', { query: { a: '{{1 + 1}}' } }, '/spec/query/a'],
  ['a pick from nowhere', { pick: '{{answer.items}}' }, '/spec/pick'],
])('%s is found', (_, given, path) => {
  expect(paths(given)).toEqual([path])
})

test('secrets over plain http are a warning', () => {
  expect(find({ url: 'http://api.test/', headers: { a: 'secret:x' } })).toMatchObject([
    { path: '/spec/url', severity: 'warning' },
  ])
})

test('effect, secrets and repeatability follow from the request', () => {
  const derive = (given: Partial<HttpSpec>) =>
    httpKind.derive(toDocument(given), { find: () => undefined, names: () => [] })
  const headers = { a: 'Bearer secret:one', b: 'secret:one' }
  expect(derive({ headers, query: { c: 'secret:two.three' } })).toEqual({
    effect: 'read',
    openWorld: true,
    secrets: ['one', 'two.three'],
  })
  const effects = (['HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map(
    (method) => derive({ method }).effect,
  )
  expect(effects).toEqual(['read', 'read', 'write', 'write', 'write', 'destructive'])
  expect(derive({ method: 'PUT' }).idempotent).toBe(true)
})
