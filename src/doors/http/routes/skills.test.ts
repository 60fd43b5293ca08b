import { expect, test } from 'vitest'
import { skillBounds } from '../../../features/skills/model.ts'
import { useDoors } from '../testing/open-door.ts'

const openDoor = useDoors()

const zip = { 'content-type': 'application/zip' }

test('a body that is not a zip, or too large, is refused before it is read', async () => {
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

test('a call may name the skill in force', async () => {
  const { ask, requests } = openDoor()
  await ask('POST', '/api/v1/tools/text.echo/calls', {
    body: { input: {}, agent: 'support', skill: 'notes' },
  })
  expect(requests.at(-1)?.caller).toMatchObject({ agent: 'support', skill: 'notes' })
  const refused = await ask('POST', '/api/v1/tools/text.echo/calls', { body: { skill: 7 } })
  expect(refused.status).toBe(400)
})
