import { expect, test } from 'vitest'
import { bearer, useDoors } from '../testing/open-door.ts'

const openDoor = useDoors()

const path = '/api/v1/tools/text.echo/calls'

async function refusal(response: Response) {
  const { status, code, detail } = (await response.json()) as Record<string, unknown>
  return { status, code, detail }
}

test('the error for invalid JSON contains the position, and does not quote it', async () => {
  const { ask } = openDoor()
  const response = await ask('POST', path, { body: '{"input": {"key": "hunter2"},}' })
  expect(await refusal(response)).toEqual({
    status: 400,
    code: 'invalid_request',
    detail:
      'The body is not JSON: expected a key in double quotes at position 29 (line 1, column 30)',
  })
})

test.each([
  undefined,
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/json; charset=latin1',
])('a body of type %s is refused', async (type) => {
  const { app, keys } = openDoor()
  const headers = new Headers(bearer(keys.owner))
  if (type !== undefined) headers.set('content-type', type)
  const body = new TextEncoder().encode('{}')
  const response = await app.request(path, { method: 'POST', headers, body })
  expect(await refusal(response)).toMatchObject({ status: 415, code: 'unsupported_media_type' })
})

test.each([
  'application/json',
  'application/json;charset=UTF-8',
  'application/vnd.api+json',
  'Application/JSON ; charset="utf-8"',
])('a body of type %s is read', async (type) => {
  const response = await openDoor().ask('POST', path, {
    body: {},
    headers: { 'content-type': type },
  })
  expect(response.status).toBe(200)
})

test('a compressed body is refused, as it would be taken for what it is not', async () => {
  const { ask } = openDoor()
  const coded = (encoding: string) =>
    ask('POST', path, { body: {}, headers: { 'content-encoding': encoding } })
  expect(await refusal(await coded('gzip'))).toEqual({
    status: 415,
    code: 'unsupported_media_type',
    detail: 'The body must not be compressed',
  })
  expect((await coded('identity')).status).toBe(200)
})

test('bytes that are not UTF-8 are refused rather than replaced', async () => {
  const { app, keys } = openDoor()
  const body = new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])
  const headers = { ...bearer(keys.owner), 'content-type': 'application/json' }
  const response = await app.request(path, { method: 'POST', headers, body })
  expect(await refusal(response)).toMatchObject({
    status: 400,
    detail: 'The body is not valid UTF-8',
  })
})

test('a body is too large by its declared length, and by its bytes when it declares none', async () => {
  const { ask } = openDoor({ limits: { maxBodyBytes: 100 } })
  const body = { input: { text: 'x'.repeat(100) } }
  const declared = await ask('POST', path, { body: {}, headers: { 'content-length': '101' } })
  expect(await refusal(declared)).toMatchObject({ status: 413, code: 'body_too_large' })
  expect(await refusal(await ask('POST', path, { body }))).toMatchObject({ status: 413 })
  expect((await ask('POST', path, { body: { input: {} } })).status).toBe(200)
})

test('deep nesting is refused before anything recursive meets it', async () => {
  const { ask } = openDoor()
  const nested = (depth: number) => `{"input":{"a":${'['.repeat(depth)}${']'.repeat(depth)}}}`
  // Read, and then too deep for a tool.
  expect(await refusal(await ask('POST', path, { body: nested(198) }))).toMatchObject({
    status: 422,
    code: 'invalid_input',
  })
  expect(await refusal(await ask('POST', path, { body: nested(199) }))).toEqual({
    status: 400,
    code: 'invalid_request',
    detail: 'The JSON nests deeper than 200 levels',
  })
  const before = performance.now()
  expect((await ask('POST', path, { body: '['.repeat(1_000_000) })).status).toBe(400)
  expect(performance.now() - before).toBeLessThan(60_000)
})
