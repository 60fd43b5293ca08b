import { expect, test } from 'vitest'
import { openDoor } from '../testing/open-door.ts'

const acme = { 'toolcrib-tenant': 'acme' }

test('operators name the tenant to act in; for others it does not exist', async () => {
  const { ask, crib } = openDoor()
  crib.tenants.add('acme')
  await ask('POST', '/api/v1/tools/text.echo/calls', { body: { input: {} }, headers: acme })
  expect(crib.requests.at(-1)?.caller).toMatchObject({ tenant: 'acme', home: 'default' })
  const read = async (headers: Record<string, string>) =>
    (await ask('GET', '/api/v1/tools', { headers })).status
  const other = { authorization: 'Bearer crib_other' }
  expect(await read({ ...acme, ...other })).toBe(404)
  expect(await read({ ...other, 'toolcrib-tenant': 'nowhere' })).toBe(404)
  expect(await read({ ...acme, authorization: 'Bearer crib_nobody' })).toBe(401)
})

test('a stream ends when its reader may no longer act in the tenant', async () => {
  const { ask, crib } = openDoor({ limits: { heartbeatMs: 15 } })
  crib.tenants.add('acme')
  const headers = { ...acme, accept: 'text/event-stream' }
  const stream = await ask('GET', '/api/v1/events', { headers })
  setTimeout(() => crib.tenants.delete('acme'), 40)
  expect(await stream.text()).toMatch(/^: heartbeat[\s\S]*event: error\ndata: .*"not_found"/)
})
