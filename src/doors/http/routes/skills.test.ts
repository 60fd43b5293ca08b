import { expect, test } from 'vitest'
import { skillBounds } from '../../../core/skills/skill-bounds.ts'
import { openDoor } from '../testing/open-door.ts'

const zip = { 'content-type': 'application/zip' }

test('a skill is installed, read, given, taken off and removed', async () => {
  const { ask } = openDoor()
  const answer = async (method: string, path: string, body?: unknown) => {
    const response = await ask(method, `/api/v1${path}`, { body })
    return [response.status, response.status === 204 ? null : await response.json()]
  }
  const installed = await ask('POST', '/api/v1/skills', { body: 'PK', headers: zip })
  expect([installed.status, await installed.json()]).toMatchObject([201, { isNew: true, bytes: 2 }])
  const again = await ask('POST', '/api/v1/skills', { body: 'PK', headers: zip })
  expect(again.status).toBe(200)
  expect(await answer('GET', '/skills?limit=5')).toMatchObject([
    200,
    { items: [{ name: 'notes' }] },
  ])
  expect(await answer('GET', '/skills/notes')).toMatchObject([200, { instructions: 'Take notes.' }])
  const pin = '/agents/support/skills/notes'
  expect(await answer('PUT', pin)).toMatchObject([200, { agent: 'support', isDryRun: false }])
  expect(await answer('PUT', pin, { dryRun: true })).toMatchObject([200, { isDryRun: true }])
  expect(await answer('PUT', pin, { versoin: 'x' })).toMatchObject([400, {}])
  expect(await answer('GET', '/agents/support/skills')).toEqual([200, { items: [] }])
  expect(await answer('DELETE', `${pin}?dryRun=true`)).toMatchObject([200, { isDryRun: true }])
  expect(await answer('DELETE', '/skills/notes?force')).toEqual([204, null])
  expect(await answer('GET', '/skills/notes')).toMatchObject([404, { code: 'not_found' }])
})

test('a file of a skill has slashes of its own, and a browser saves it', async () => {
  const { ask } = openDoor()
  await ask('POST', '/api/v1/skills', { body: 'PK', headers: zip })
  for (const path of ['a/b c.md', 'a%2Fb%20c.md']) {
    const response = await ask('GET', `/api/v1/skills/notes/files/${path}`)
    expect([response.status, await response.text()]).toEqual([200, 'PK'])
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="b_c.md"')
    expect(response.headers.get('content-security-policy')).toMatch(/sandbox/)
  }
})

test('a body that is no zip, or too large, is refused before it is read', async () => {
  const { ask } = openDoor()
  const send = async (headers: Record<string, string>, body = 'PK') => {
    const response = await ask('POST', '/api/v1/skills', { body, headers })
    return [response.status, ((await response.json()) as { code?: string }).code]
  }
  expect(await send({})).toEqual([415, 'unsupported_media_type'])
  expect(await send({ 'content-type': 'multipart/form-data' })).toEqual([
    415,
    'unsupported_media_type',
  ])
  expect(await send({ ...zip, 'content-encoding': 'gzip' })).toEqual([
    415,
    'unsupported_media_type',
  ])
  expect(await send(zip, 'x'.repeat(skillBounds.zipBytes + 1))).toEqual([413, 'body_too_large'])
})

test('a call and explain may name the skill in force', async () => {
  const { ask, crib } = openDoor()
  await ask('POST', '/api/v1/tools/text.echo/calls', {
    body: { input: {}, agent: 'support', skill: 'notes' },
  })
  expect(crib.requests.at(-1)?.caller).toMatchObject({ agent: 'support', skill: 'notes' })
  const refused = await ask('POST', '/api/v1/tools/text.echo/calls', { body: { skill: 7 } })
  expect(refused.status).toBe(400)
  const explained = await ask('GET', '/api/v1/explain?agent=support&skill=notes')
  expect(explained.status).toBe(200)
})
