import { afterEach, expect, test } from 'vitest'
import { ownerOf } from '../src/app/owner.ts'
import type { CallerClient } from '../src/core/kernel/context/caller-client.ts'
import { type GatewayCrib, hostile, openGatewayCrib, textOf, until } from './setup/gateway-crib.ts'

let crib: GatewayCrib | undefined
afterEach(() => crib?.close())

const by = { kind: 'user', id: 'owner' } as const

async function toolsOf(tenant: string, prefix: string): Promise<Record<string, string>> {
  const { items = [] } = (await crib?.api.listTools(ownerOf(tenant), { limit: 1000 })) ?? {}
  const own = items.filter(({ name }) => name.startsWith(prefix))
  return Object.fromEntries(own.map(({ name, state }) => [name, state]))
}

test('a server with secrets is another one for every tenant, and another tenant sees none of it', async () => {
  const shared = hostile('', { env: { TOKEN: 'secret:hub_token' } })
  const config = {
    tenants: [{ slug: 'acme', mcpServers: { own: hostile() } }, { slug: 'other' }],
  }
  crib = await openGatewayCrib({ hub: shared }, { config })
  const { store, gateway } = crib
  await store.secrets.write({ tenant: 'acme', by }, 'hub_token', 'acme-secret-1')
  await until(async () => (await toolsOf('acme', 'mcp:hub:'))['mcp:hub:env'] === 'ready')
  await until(async () => (await toolsOf('acme', 'mcp:own:'))['mcp:own:env'] === 'ready')
  const seen = textOf(await crib.call('mcp:hub:env', {}, { tenant: 'acme' }))
  expect(JSON.parse(seen)).toMatchObject({ TOKEN: '[redacted:hub_token]' })
  expect(await toolsOf('other', 'mcp:own:')).toEqual({})
  const { error } = await crib.call('mcp:own:say', {}, { tenant: 'other' })
  expect(error?.code).toBe('tool_not_found')
  expect(gateway.statusOf('other').map(({ server }) => server)).toEqual(['hub'])
  // Nobody there has the secret: its process is not even started.
  expect(gateway.findStatus({ tenant: 'other', server: 'hub' })).toMatchObject({ connections: 0 })
})

test('a secret that changes reaches the server with its next call', async () => {
  crib = await openGatewayCrib({ hub: hostile('', { env: { TOKEN: 'secret:hub_token' } }) })
  const write = (value: string) =>
    crib?.store.secrets.write({ tenant: 'default', by }, 'hub_token', value)
  const fingerprint = async () =>
    textOf((await crib?.call('mcp:hub:length')) ?? { status: 'failed' })
  await write('short-one')
  await until(async () => (await toolsOf('default', 'mcp:hub:'))['mcp:hub:length'] === 'ready')
  await until(async () => (await fingerprint()) === '9')
  await write('a-much-longer-one')
  await until(async () => (await fingerprint()) === '17')
  expect(crib.gateway.counts()).toMatchObject({ servers: 1, down: 0 })
})

test('a server that lacks a secret is tried as soon as it is set', async () => {
  crib = await openGatewayCrib({ hub: hostile('', { env: { TOKEN: 'secret:hub_token' } }) })
  const { gateway, store } = crib
  await toolsOf('default', 'mcp:hub:')
  const status = () => gateway.findStatus({ tenant: 'default', server: 'hub' })
  // Far enough away for the next try not to come by itself.
  await until(() => (status()?.retryAt ?? 0) > Date.now() + 1600)
  await store.secrets.write({ tenant: 'default', by }, 'hub_token', 'a-value')
  await until(() => status()?.state === 'connected', 1500)
  expect(status()).not.toHaveProperty('reason')
})

test.each([
  ['secret', 'secret:hub_token'],
  ['variable of this machine', 'env:hub_token'],
])(
  'a question of a server does not tell its %s, neither to the client nor in what is recorded',
  async (_what, TOKEN) => {
    const env = { hub_token: 'a-secret-value-1' }
    crib = await openGatewayCrib({ hub: hostile('', { env: { TOKEN } }) }, { env })
    await crib.store.secrets.write({ tenant: 'default', by }, 'hub_token', 'a-secret-value-1')
    await until(async () => (await toolsOf('default', 'mcp:hub:'))['mcp:hub:ask'] === 'ready')
    const asked: unknown[] = []
    const client: CallerClient = {
      abilities: new Set(['elicitation.form']),
      async ask(requests) {
        asked.push(...Object.values(requests))
        // Whoever answers may know it, too.
        const answer = { action: 'accept', content: { said: 'a-secret-value-1' } }
        return Object.fromEntries(Object.keys(requests).map((key) => [key, answer]))
      },
      log: () => undefined,
    }
    const result = await crib.call('mcp:hub:ask', {}, { client })
    expect(asked).toMatchObject([{ params: { message: 'Really? [redacted:hub_token]' } }])
    expect(textOf(result)).toContain('[redacted:hub_token]')
    const { items } = await crib.api.readEvents(ownerOf(), { limit: 1000 })
    expect(JSON.stringify([result, asked, items])).not.toContain('a-secret-value-1')
  },
)
