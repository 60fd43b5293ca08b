import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Crib } from '../../src/app/index.ts'
import { openSkillCrib, owner, zipOf } from './skill-crib.ts'

let crib: Crib
let key: string
beforeAll(async () => {
  crib = await openSkillCrib()
  key = (await crib.api.createKey(owner, { name: 'k', scopes: ['*'] })).token
})
afterAll(() => crib.close())

function ask(route: string, body?: Uint8Array | object): Promise<Response> {
  const [method = '', ...path] = route.split(' ')
  const isZip = body instanceof Uint8Array
  const type = isZip ? 'application/zip' : 'application/json'
  const content = isZip ? new Uint8Array(body) : JSON.stringify(body)
  return crib.fetch(
    new Request(`http://localhost/api/v1${path.join(' ')}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': type }) },
      ...(body && { body: content }),
    }),
  )
}

async function answer(route: string, body?: object) {
  const response = await ask(route, body)
  return [response.status, response.status === 204 ? null : await response.json()]
}

test('a skill is installed, given to an agent, taken off and removed over HTTP', async () => {
  const zip = zipOf('name: notes\ntools: [work.one]')
  expect(await answer('POST /skills', zip)).toMatchObject([201, { isNew: true, name: 'notes' }])
  expect(await answer('POST /skills', zip)).toMatchObject([200, { isNew: false }])
  expect(await answer('GET /skills?limit=5')).toMatchObject([200, { items: [{ name: 'notes' }] }])
  expect(await answer('GET /skills/notes')).toMatchObject([200, { instructions: 'Do it well.\n' }])
  const pin = '/agents/bare/skills/notes'
  expect(await answer(`PUT ${pin}`, { dryRun: true })).toMatchObject([200, { isDryRun: true }])
  expect(await answer('GET /agents/bare/skills')).toEqual([200, { items: [] }])
  expect(await answer(`PUT ${pin}`)).toMatchObject([200, { agent: 'bare', isDryRun: false }])
  expect(await answer(`PUT ${pin}`, { versoin: 'x' })).toMatchObject([400, {}])
  expect(await answer(`DELETE ${pin}?dryRun=true`)).toMatchObject([200, { isDryRun: true }])
  expect(await answer(`DELETE ${pin}?dryRun=maybe`)).toMatchObject([400, {}])
  expect(await answer('DELETE /skills/notes?force=false')).toMatchObject([409, {}])
  expect(await answer('DELETE /skills/notes?force')).toEqual([204, null])
  expect(await answer('GET /skills/notes')).toMatchObject([404, { code: 'not_found' }])
})

test('the path of a file may have slashes, and a browser saves the file', async () => {
  await ask('POST /skills', zipOf('name: filed', { 'a/b c.md': 'hello' }))
  for (const path of ['a/b c.md', 'a%2Fb%20c.md']) {
    const response = await ask(`GET /skills/filed/files/${path}`)
    expect([response.status, await response.text()]).toEqual([200, 'hello'])
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="b_c.md"')
    expect(response.headers.get('content-security-policy')).toMatch(/sandbox/)
  }
})
