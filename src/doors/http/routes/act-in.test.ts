import { expect, test } from 'vitest'
import { ownerOf } from '../../../app/owner.ts'
import { bearer, useDoors } from '../testing/open-door.ts'

const openDoor = useDoors()

const acme = { 'toolcrib-tenant': 'acme' }

test('operators name the tenant to act in; for others it does not exist', async () => {
  const { ask, requests, keys } = openDoor()
  await ask('POST', '/api/v1/tools/text.echo/calls', { body: { input: {} }, headers: acme })
  expect(requests.at(-1)?.caller).toMatchObject({ tenant: 'acme', home: 'default' })
  const read = async (headers: Record<string, string>) =>
    (await ask('GET', '/api/v1/tools', { headers })).status
  const other = bearer(keys.other)
  expect(await read({ ...acme, ...other })).toBe(404)
  expect(await read({ ...other, 'toolcrib-tenant': 'nowhere' })).toBe(404)
  expect(await read({ ...acme, ...bearer('crib_nobody') })).toBe(401)
})

test('a stream ends when its reader may no longer act in the tenant', async () => {
  const { ask, api } = openDoor({ limits: { heartbeatMs: 15 } })
  await api.createTenant(ownerOf(), { slug: 'brief', name: 'Brief' })
  const headers = { 'toolcrib-tenant': 'brief', accept: 'text/event-stream' }
  const stream = await ask('GET', '/api/v1/events?types=key.created', { headers })
  setTimeout(() => void api.deleteTenant(ownerOf(), { slug: 'brief', confirm: 'brief' }), 40)
  expect(await stream.text()).toMatch(/^: heartbeat[\s\S]*event: error\ndata: .*"not_found"/)
})
