import { afterEach, expect, test } from 'vitest'
import { ownerOf } from '../src/app/owner.ts'
import type { Caller } from '../src/core/kernel/call.ts'
import { type GatewayCrib, hostile, openGatewayCrib, until } from './setup/gateway-crib.ts'

let crib: GatewayCrib | undefined
afterEach(() => crib?.close())

const owner = ownerOf()
/** What the program writes before it ends: a word of its own, and what it was given. */
const noise =
  'console.error("at /srv/" + "billing/boot.ts with", process.env.TOKEN); process.exit(9)'
const broken = { command: process.execPath, args: ['-e', noise], env: { TOKEN: 'env:HUB_TOKEN' } }
const env = { HUB_TOKEN: 'a-secret-value-1' }
const theirs = '/srv/billing'

test('what a program that is down wrote is shown to who manages it alone, without its secrets', async () => {
  const config = { tenants: [{ slug: 'acme' }] }
  crib = await openGatewayCrib({ hub: broken }, { env, config })
  const { api } = crib
  await until(async () => (await api.findMcpServer(owner, { name: 'hub' })).state === 'down')
  const shown = async (caller: Caller) => (await api.findMcpServer(caller, { name: 'hub' })).reason
  expect(await shown(owner)).toBe(
    `its process ended with exit code 9: at ${theirs}/boot.ts with [redacted:HUB_TOKEN]`,
  )
  const reader: Caller = { ...owner, permissions: ['policy.read', 'tools.approve'] }
  for (const caller of [reader, ownerOf('acme')]) {
    expect(await shown(caller)).toBe('its process ended with exit code 9')
    const { items } = await api.listMcpServers(caller, { limit: 10 })
    expect(JSON.stringify(items)).not.toContain(theirs)
  }
  expect(await api.testMcpServer(owner, { name: 'hub' })).toMatchObject({
    ok: false,
    problem: { message: expect.not.stringContaining(theirs) },
    errorOutput: expect.stringContaining(`at ${theirs}/boot.ts with [redacted:HUB_TOKEN]`),
  })
  const { items } = await api.readEvents(owner, { types: ['mcp.server.failed'], limit: 10 })
  expect(items).toMatchObject([{ data: { reason: 'its process ended with exit code 9' } }])
})

test('nor do calls tell what a program wrote before it ended', async () => {
  const hub = hostile('', { env: { TOKEN: 'env:HUB_TOKEN' } })
  crib = await openGatewayCrib({ hub }, { env })
  await until(async () => (await crib?.tools('mcp:hub:'))?.['mcp:hub:die'] === 'ready')
  const { error } = await crib.call('mcp:hub:die')
  expect(error?.message).toContain('exit code')
  expect(error?.message).not.toContain('starting with')
})

test('a program that is not there is named to nobody but who manages it', async () => {
  const config = { tenants: [{ slug: 'acme' }] }
  crib = await openGatewayCrib({ hub: { command: '/srv/billing/missing' } }, { config })
  const { api } = crib
  await until(async () => (await api.findMcpServer(owner, { name: 'hub' })).state === 'down')
  expect((await api.findMcpServer(ownerOf('acme'), { name: 'hub' })).reason).toBe(
    'its program was not found',
  )
  expect((await api.findMcpServer(owner, { name: 'hub' })).reason).toContain('/srv/billing/missing')
})
