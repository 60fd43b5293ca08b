import { expect, test } from 'vitest'
import { version } from '../../app/version.ts'
import { apiRoutes } from './testing/api-routes.ts'
import { bearer, useDoors, webOwner } from './testing/open-door.ts'

const openDoor = useDoors()

const problemAt = (instance: string, problem: Record<string, unknown>) => ({
  retryable: false,
  requestId: 'r1',
  instance,
  ...problem,
})
const named = { 'x-request-id': 'r1' }

test('the routes of the API are these', () => {
  const { paths } = openDoor().app.openApi()
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(routes.toSorted()).toEqual(apiRoutes)
})

test('every answer carries the security headers and a request id', async () => {
  const { ask } = openDoor()
  const paths = [
    '/api/v1/tools',
    '/api/v1/nowhere',
    '/healthz',
    '/',
    '/docs',
    '/assets/scheme.css',
    '/assets/toolcrib.css',
  ]
  for (const path of paths) {
    const { headers } = await ask('GET', path)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toMatch(/^(?:no-referrer|same-origin)$/)
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'.*frame-ancestors 'none'/,
    )
    expect(headers.get('content-security-policy')).not.toContain('unsafe')
    expect(headers.get('access-control-allow-origin')).toBeNull()
    expect(headers.get('x-request-id')).toMatch(/^req_/)
  }
})

test('a request id of the client is kept when it is short and plain, and replaced otherwise', async () => {
  const { ask } = openDoor()
  const idOf = async (id: string) =>
    (await ask('GET', '/healthz', { headers: { 'x-request-id': id } })).headers.get('x-request-id')
  expect(await idOf('trace-1.2:3')).toBe('trace-1.2:3')
  expect(await idOf('a b')).toMatch(/^req_/)
  expect(await idOf('x'.repeat(65))).toMatch(/^req_/)
})

test('without a key, with another scheme and with a wrong key the answer is 401', async () => {
  const { app, keys } = openDoor()
  for (const authorization of [undefined, 'Basic abc', 'Bearer', 'Bearer crib_wrong', keys.owner]) {
    const headers = authorization === undefined ? {} : { authorization }
    const response = await app.request('/api/v1/tools', { headers })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="toolcrib"')
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(await response.json()).toMatchObject({ code: 'unauthorized', status: 401 })
  }
  const bearer = await app.request('/api/v1/tools', {
    headers: { authorization: `bearer  ${keys.owner}` },
  })
  expect(bearer.status).toBe(200)
})

test('an unknown path under /api is a JSON 404, also with html wanted, and elsewhere a page', async () => {
  const { ask } = openDoor()
  const headers = { ...named, accept: 'text/html' }
  const response = await ask('GET', '/api/v2/tools', { headers })
  expect(response.status).toBe(404)
  expect(await response.json()).toEqual(
    problemAt('/api/v2/tools', {
      type: '/docs#error-not_found',
      title: 'Not found',
      status: 404,
      detail: 'Nothing is served at /api/v2/tools',
      code: 'not_found',
      fix: 'The routes are listed in /openapi.json and readable at /docs.',
    }),
  )
  const page = await ask('GET', '/<script>', { headers })
  expect(page.status).toBe(404)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(await page.text()).not.toContain('<script>')
  expect((await ask('GET', '/nowhere')).headers.get('content-type')).toBe(
    'application/problem+json',
  )
})

test('a wrong method is a 405 that names the right ones', async () => {
  const { ask } = openDoor()
  const response = await ask('PATCH', '/api/v1/keys', { headers: named })
  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toBe('GET, POST')
  expect(await response.json()).toEqual(
    problemAt('/api/v1/keys', {
      type: '/docs#error-method_not_allowed',
      title: 'This method is not offered here',
      status: 405,
      detail: 'PATCH is not offered here',
      code: 'method_not_allowed',
      fix: 'Use GET or POST.',
    }),
  )
  const onTool = await ask('PUT', '/api/v1/tools/text.echo')
  expect(onTool.headers.get('allow')).toBe('GET, PATCH, DELETE')
  expect((await ask('OPTIONS', '/api/v1/tools')).status).toBe(405)
})

test('a bug is answered with its request id alone, and logged', async () => {
  const { ask, api, faults } = openDoor()
  const error = new Error('password=hunter2')
  api.runOperation = () => Promise.reject(error)
  const response = await ask('GET', '/api/v1/tools?q=x', { headers: named })
  expect(response.status).toBe(500)
  expect(await response.json()).toEqual(
    problemAt('/api/v1/tools', {
      type: '/docs#error-internal',
      title: 'Something went wrong here',
      status: 500,
      detail: "Something went wrong here. The server's log has it under r1.",
      code: 'internal',
    }),
  )
  expect(faults).toEqual([{ error, requestId: 'r1', method: 'GET', path: '/api/v1/tools' }])
})

test('parameters that are unknown, given twice or out of range are refused with their place', async () => {
  const { ask } = openDoor()
  const issuesOf = async (path: string) => {
    const response = await ask('GET', path)
    expect(response.status).toBe(400)
    const problem = (await response.json()) as { code: string; issues: { path: string }[] }
    expect(problem.code).toBe('invalid_request')
    return problem.issues.map((issue) => issue.path)
  }
  expect(await issuesOf('/api/v1/calls?limit=0')).toEqual(['/limit'])
  expect(await issuesOf('/api/v1/calls?limit=ten')).toEqual(['/limit'])
  expect(await issuesOf('/api/v1/calls?tool=a&tool=b')).toEqual(['/tool'])
  expect(await issuesOf('/api/v1/calls?status=done')).toEqual(['/status'])
  expect(await issuesOf('/api/v1/calls?tool=%00')).toEqual(['/tool'])
  expect(await issuesOf('/api/v1/calls?staus=failed')).toEqual([''])
  expect(await issuesOf('/api/v1/events?types=call.started,nothing')).toEqual(['/types/1'])
  expect((await ask('GET', '/api/v1/calls?limit=100000&__proto__=')).status).toBe(400)
  expect((await ask('GET', '/api/v1/calls?limit=100000')).status).toBe(200)
})

test('the description is OpenAPI 3.1 and every reference in it leads somewhere', async () => {
  const { ask, app } = openDoor()
  const document = await (await ask('GET', '/openapi.json')).json()
  expect(document).toEqual(JSON.parse(JSON.stringify(app.openApi())))
  expect(await (await ask('GET', '/api/v1/openapi.json')).json()).toEqual(document)
  expect(document).toMatchObject({
    openapi: '3.1.0',
    info: { title: 'Toolcrib', version: '1.2.3' },
  })
  const names = Object.keys(app.openApi().components.schemas)
  const references = [...JSON.stringify(document).matchAll(/#\/components\/schemas\/(\w+)/g)]
  expect(references.length).toBeGreaterThan(30)
  for (const [, name] of references) expect(names).toContain(name)
  const ids = Object.values(app.openApi().paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  )
  expect(new Set(ids).size).toBe(ids.length)
})

test('health, readiness and open metrics need no key, and say nothing of the inside', async () => {
  const { app, api } = openDoor({ metrics: { isOpen: true } })
  expect(await (await app.request('/healthz')).json()).toEqual({ status: 'ok' })
  const ready = await app.request('/readyz')
  expect(ready.status).toBe(200)
  expect(await ready.json()).toEqual({
    status: 'ok',
    version,
    checks: { database: { ok: true }, tools: { ok: true } },
  })
  const store = { ok: false, message: 'host db.internal:5432' }
  api.health = async () => ({ status: 'failing', version, store: 'postgres', checks: { store } })
  const failing = await app.request('/readyz')
  expect(failing.status).toBe(503)
  expect(await failing.json()).toEqual({
    status: 'failing',
    version,
    checks: { store: { ok: false } },
  })
  const metrics = await app.request('/metrics')
  expect(metrics.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(await metrics.text()).toMatch(/^# HELP toolcrib_/m)
})

test('metrics are for keys with audit.read unless they are opened', async () => {
  const { app, api } = openDoor()
  api.authenticate = async (token) => ({ ...webOwner, permissions: [token] })
  const statusFor = async (token: string) =>
    (await app.request('/metrics', { headers: { authorization: `Bearer ${token}` } })).status
  expect((await app.request('/metrics')).status).toBe(401)
  expect([await statusFor('tools.call'), await statusFor('audit.*')]).toEqual([403, 200])
})

test('metrics cover all tenants, so a key of one of them does not open them', async () => {
  const { ask, keys } = openDoor()
  expect((await ask('GET', '/metrics', { headers: bearer(keys.other) })).status).toBe(403)
  expect((await ask('GET', '/metrics', { headers: { 'toolcrib-tenant': 'other' } })).status).toBe(
    200,
  )
})

test('metrics ask for their token when one is configured', async () => {
  const { app, ask } = openDoor({ metrics: { token: 'scrape' } })
  expect((await app.request('/metrics')).status).toBe(401)
  expect((await ask('GET', '/metrics')).status).toBe(401)
  expect(
    (await app.request('/metrics', { headers: { authorization: 'Bearer scrape' } })).status,
  ).toBe(200)
})

test('a draining door is not ready and takes no new calls, but still answers', async () => {
  const { app, ask } = openDoor()
  app.drain()
  const ready = await app.request('/readyz')
  expect(ready.status).toBe(503)
  expect(await ready.json()).toMatchObject({ status: 'draining' })
  const call = await ask('POST', '/api/v1/tools/text.echo/calls', { body: {} })
  expect(call.status).toBe(503)
  expect(call.headers.get('retry-after')).toBe('1')
  expect(await call.json()).toMatchObject({ code: 'shutting_down', retryable: true })
  expect((await ask('GET', '/api/v1/tools')).status).toBe(200)
})
