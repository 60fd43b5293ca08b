import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Crib, defineTool, z } from '../src/app/index.ts'
import { ownerOf } from '../src/app/owner.ts'
import type { Caller } from '../src/core/kernel/call.ts'
import { operations } from '../src/features/operations.ts'
import { createTestCrib } from '../src/testing/index.ts'

const echo = defineTool({
  name: 'text.echo',
  description: 'Returns its input.',
  effect: 'read',
  inputSchema: z.object({}),
  execute: (input) => input,
})

let crib: Crib
let keys: Record<'owner' | 'caller' | 'bound', string>
beforeAll(async () => {
  crib = await createTestCrib({ tools: [echo], config: { agents: [{ slug: 'narrow' }] } })
  const keyFor = async (scopes: string[], agent?: string) =>
    (await crib.api.createKey(ownerOf(), { name: 'k', scopes, agent })).token
  keys = {
    owner: await keyFor(['*']),
    caller: await keyFor(['tools.call']),
    bound: await keyFor(['*'], 'narrow'),
  }
})
afterAll(() => crib.close())

async function ask(route: string, sent?: unknown, key = keys.owner) {
  const [method = '', path = ''] = route.split(' ')
  const response = await crib.fetch(
    new Request(`http://localhost/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(sent !== undefined && { body: JSON.stringify(sent) }),
    }),
  )
  const text = await response.text()
  const location = response.headers.get('location') ?? undefined
  const body = text === '' ? null : (JSON.parse(text) as unknown)
  return { status: response.status, body, ...(location && { location }) }
}

const request = { name: 'digest', tool: 'text.echo', when: { cron: '0 9 * * 1-5' } }

test('what an operation takes and gives goes over HTTP as it is described', async () => {
  const made = await ask('POST /schedules', request)
  expect(made).toMatchObject({ status: 201, body: { name: 'digest', state: 'active', retries: 3 } })
  const { id } = made.body as { id: string }
  expect(await ask(`GET /schedules/${id}`)).toEqual({ status: 200, body: made.body })
  expect(await ask('GET /schedules?limit=5')).toEqual({ status: 200, body: { items: [made.body] } })
  expect(await ask(`PATCH /schedules/${id}`, { paused: true, name: 'later' })).toMatchObject({
    status: 200,
    body: { state: 'paused', name: 'later' },
  })
  expect((await ask(`POST /schedules/${id}/run`)).status).toBe(202)
  expect((await ask(`GET /schedules/${id}/runs?limit=5`)).body).toMatchObject({
    items: [{ scheduleId: id, trigger: 'now' }],
  })
  expect(await ask(`DELETE /schedules/${id}`)).toEqual({ status: 204, body: null })
  expect((await ask(`GET /schedules/${id}`)).status).toBe(404)
})

test.each([
  ['no body', undefined],
  ['a missing field', { name: 'a', tool: 'b' }],
  ['an unknown field', { ...request, cron: '* * * * *' }],
  ['a text for a number', { ...request, retries: 'three' }],
  ['a number out of range', { ...request, retries: 11 }],
  ['a value that is no choice', { ...request, overlap: 'maybe' }],
  ['a list for an object', { ...request, when: ['0 9 * * *'] }],
  ['a value that the operation itself refuses', { ...request, when: { cron: 'whenever' } }],
])('a request with %s is refused with 400', async (_what, sent) => {
  expect(await ask('POST /schedules', sent)).toMatchObject({
    status: 400,
    body: { code: 'invalid_request' },
  })
})

test('a parameter in the wrong place is refused instead of ignored', async () => {
  const refused = { status: 400, body: { code: 'invalid_request' } }
  expect(await ask('GET /schedules?after=tomorrow')).toMatchObject(refused)
  expect(await ask('GET /schedules?name=digest')).toMatchObject(refused)
  expect(await ask('PATCH /schedules/sch_1?paused=true', {})).toMatchObject(refused)
})

test('a field that query and body both take must be the same in both', async () => {
  const path = 'PUT /secrets/some_key?agent=narrow'
  expect(await ask(path, { value: 'a-value-1', agent: 'narrow' })).toMatchObject({ status: 200 })
  expect(await ask(path, { value: 'a-value-1', agent: 'other' })).toMatchObject({
    status: 400,
    body: { code: 'invalid_request', detail: 'The query and the body differ in agent' },
  })
})

test('a path that can not be one is not found, or refused where the operation says how', async () => {
  const long = 'x'.repeat(201)
  expect(await ask(`GET /schedules/${long}`)).toMatchObject({ status: 404 })
  expect(await ask(`DELETE /secrets/${long}`)).toMatchObject({
    status: 400,
    body: { detail: 'The name must have 1 to 200 printable characters' },
  })
})

test('the library takes the fields of path, query and body in one object', async () => {
  const { api } = crib
  const owner = ownerOf()
  const { id } = await api.createSchedule(owner, request)
  expect(await api.updateSchedule(owner, { id, name: 'other' })).toMatchObject({ name: 'other' })
  expect((await api.listScheduleRuns(owner, { id, limit: 1 })).items).toEqual([])
  expect((await api.listSchedules(owner)).items).toHaveLength(1)
  await expect(api.createSchedule(owner, { ...request, retries: 11 })).rejects.toMatchObject({
    code: 'invalid_request',
    issues: [{ path: '/retries' }],
  })
  await expect(api.listSchedules(owner, { limit: 1, nmae: 'x' } as never)).rejects.toMatchObject({
    code: 'invalid_request',
  })
  await api.deleteSchedule(owner, { id })
})

/** Whatever else an operation does, nobody gets past its check. */
test.each(Object.entries(operations).filter(([, { needs }]) => needs !== 'signed-in'))(
  '%s is refused to callers without its permission',
  async (name) => {
    const nobody: Caller = { ...ownerOf(), permissions: [] }
    const method = crib.api[name as keyof typeof operations] as (
      caller: Caller,
      input: object,
    ) => Promise<unknown>
    await expect(method(nobody, {})).rejects.toMatchObject({
      code: 'forbidden',
    })
  },
)

test.each(Object.entries(operations))('%s is refused to whoever has no key', async (_name, one) => {
  const path = one.path.replaceAll(/\{\w+\}/g, 'x')
  const response = await crib.fetch(new Request(`http://localhost${path}`, { method: one.method }))
  expect(response.status).toBe(401)
})

test('a key without the permission gets 403 with what it needs', async () => {
  expect(await ask('GET /schedules', undefined, keys.caller)).toMatchObject({
    status: 403,
    body: { code: 'forbidden', detail: 'This needs the permission schedules.manage or audit.read' },
  })
})

test('a malformed name that the caller chose is an invalid request, any other is not found', async () => {
  const long = 'x'.repeat(201)
  expect((await ask(`GET /schedules/${long}`)).status).toBe(404)
  const refused = { status: 400, body: { code: 'invalid_request' } }
  expect(await ask(`PUT /labels/${long}`, { reads: [] })).toMatchObject(refused)
  expect(await ask(`GET /labels/${long}`)).toMatchObject(refused)
  expect(await ask(`GET /session-flags/${long}`)).toMatchObject(refused)
})

test('a name that others chose may be long and have any characters', async () => {
  const accept = (tool: string) =>
    ask(`POST /mcp-servers/none/tools/${encodeURIComponent(tool)}/accept`, { hash: '0'.repeat(64) })
  const noServer = { detail: 'There is no MCP server "none"' }
  expect(await accept('x'.repeat(1000))).toMatchObject({ status: 404, body: noServer })
  expect(await accept('a\tb')).toMatchObject({ status: 404, body: noServer })
  expect(await accept('x'.repeat(1001))).toMatchObject({
    status: 404,
    body: { detail: 'There is nothing with this tool' },
  })
})

test('a change of an MCP server does not take a field that its path names', async () => {
  const added = await ask('POST /mcp-servers', {
    name: 'docs',
    url: 'https://docs.example.com/mcp',
    enabled: false,
  })
  expect(added).toMatchObject({ status: 201, location: '/api/v1/mcp-servers/docs' })
  expect(await ask('PATCH /mcp-servers/docs', { name: 'other' })).toMatchObject({
    status: 400,
    body: { code: 'invalid_request' },
  })
  expect(await ask('DELETE /mcp-servers/docs')).toMatchObject({ status: 204 })
})
