import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { ownerOf } from '../src/app/owner.ts'
import type { OpenStores } from '../src/features/open-stores.ts'
import { freshStore } from '../src/testing/fresh-store.fixture.ts'
import {
  type GatewayCrib,
  hostile,
  isAlive,
  openGatewayCrib,
  textOf,
  until,
} from './setup/gateway-crib.ts'

const open: GatewayCrib[] = []
afterEach(async () => {
  for (const crib of open.splice(0)) await crib.close()
})

const config = { gateway: { stdio: 'operators' } } as const

async function openOn(store?: OpenStores): Promise<GatewayCrib> {
  const crib = await openGatewayCrib({}, { store, config })
  open.push(crib)
  return crib
}

test('a server that is kept is known with its tools after a restart, before anybody lists tools', async () => {
  const store = await freshStore()
  const first = await openOn(store)
  await first.api.addMcpServer(ownerOf(), { name: 'own', ...hostile() })
  await until(async () => (await first.tools('mcp:own:'))['mcp:own:env'] === 'ready')
  await first.close()
  open.length = 0
  const { api } = await openOn(store)
  const { items } = await api.listMcpServers(ownerOf(), { limit: 10 })
  expect(items[0]?.toolCounts.ready).toBeGreaterThan(3)
  const { items: listed } = await api.listMcpTools(ownerOf(), { name: 'own' })
  const [read, say] = ['read', 'say'].map((name) => listed.find((tool) => tool.name === name))
  // What it says of itself is shown; until an operator believes it, it is taken to change things.
  expect(read).toMatchObject({ effect: 'write', effectBy: 'default', hints: { readOnly: true } })
  await api.changeMcpServer(ownerOf(), { name: 'own', trustHints: ['re*'] })
  const [trusted] = (await api.listMcpTools(ownerOf(), { name: 'own' })).items.filter(
    ({ name }) => name === 'read',
  )
  expect(trusted).toMatchObject({ effect: 'read', effectBy: 'hint', hintsTrusted: true })
  expect(say).toMatchObject({ effect: 'write', description: 'Says what it was told' })
  await until(
    async () => (await api.findMcpServer(ownerOf(), { name: 'own' })).state === 'connected',
  )
})

test('settings that do not change how a server is reached leave its process running', async () => {
  const { api, call, tools } = await openOn()
  await api.addMcpServer(ownerOf(), { name: 'own', ...hostile() })
  await until(async () => (await tools('mcp:own:'))['mcp:own:fork'] === 'ready')
  const child = Number(textOf(await call('mcp:own:fork')))
  await api.changeMcpServer(ownerOf(), {
    name: 'own',
    title: 'Mine',
    deny: ['env'],
    timeoutMs: 5000,
  })
  await until(async () => (await tools('mcp:own:'))['mcp:own:env'] === undefined)
  expect(isAlive(child)).toBe(true)
  await api.changeMcpServer(ownerOf(), { name: 'own', env: { HOSTILE: '', MORE: '1' } })
  await until(() => !isAlive(child))
})

test('a program that holds what there is only one of is never started beside itself', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'toolcrib-alone-'))
  const { api, call, gateway, tools } = await openOn()
  const alone = hostile('', { env: { ALONE: path.join(folder, 'held') }, idleMs: 1000 })
  await api.addMcpServer(ownerOf(), { name: 'own', ...alone })
  await until(async () => (await tools('mcp:own:'))['mcp:own:read'] === 'ready')
  const env = { ...alone.env, MORE: '1' }
  await api.changeMcpServer(ownerOf(), { name: 'own', env })
  expect(await call('mcp:own:read')).toMatchObject({ status: 'completed' })
  await api.changeMcpServer(ownerOf(), { name: 'own', enabled: false })
  await api.changeMcpServer(ownerOf(), { name: 'own', enabled: true })
  expect(await call('mcp:own:read')).toMatchObject({ status: 'completed' })
  // It has begun to end because nobody uses it, and is not gone yet.
  await until(() => gateway.findStatus({ tenant: 'default', server: 'own' })?.connections === 0)
  expect(await call('mcp:own:read')).toMatchObject({ status: 'completed' })
  const { items } = await api.readEvents(ownerOf(), { types: ['mcp.server.failed'], limit: 10 })
  expect(items).toEqual([])
  await rm(folder, { recursive: true })
})

test('a test asks the program that runs, and tells of it where another was started beside it', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'toolcrib-alone-'))
  const { api, call, tools } = await openOn()
  const alone = hostile('', { env: { ALONE: path.join(folder, 'held') } })
  await api.addMcpServer(ownerOf(), { name: 'own', ...alone })
  await until(async () => (await tools('mcp:own:'))['mcp:own:read'] === 'ready')
  expect(textOf(await call('mcp:own:read'))).toBe('read 1')
  expect(await api.testMcpServer(ownerOf(), { name: 'own' })).toMatchObject({
    ok: true,
    isLive: true,
  })
  await api.refreshMcpServer(ownerOf(), { name: 'own', restart: true })
  expect(textOf(await call('mcp:own:read'))).toBe('read 1')
  expect(await api.testMcpServer(ownerOf(), { name: 'own', server: alone })).toMatchObject({
    ok: true,
    isLive: true,
  })
  const other = { ...alone, env: { ...alone.env, MORE: '1' } }
  expect(await api.testMcpServer(ownerOf(), { name: 'own', server: other })).toMatchObject({
    ok: false,
    problem: { fix: expect.stringContaining('toolcrib mcp disable own') as string },
    errorOutput: expect.stringContaining('EEXIST') as string,
  })
  expect(textOf(await call('mcp:own:read'))).toBe('read 2')
  await api.changeMcpServer(ownerOf(), { name: 'own', enabled: false })
  const free = async () => (await api.testMcpServer(ownerOf(), { name: 'own', server: other })).ok
  await until(free)
  await rm(folder, { recursive: true })
})

test('a server of the configuration is restarted, and one that is switched off is started by nobody', async () => {
  const crib = await openGatewayCrib({ on: hostile(), off: hostile('', { enabled: false }) })
  open.push(crib)
  await until(async () => (await crib.tools('mcp:on:'))['mcp:on:fork'] === 'ready')
  const child = Number(textOf(await crib.call('mcp:on:fork')))
  const restarted = await crib.api.refreshMcpServer(ownerOf(), { name: 'on', restart: true })
  expect(restarted.state).toBe('connected')
  await until(() => !isAlive(child))
  expect(textOf(await crib.call('mcp:on:read'))).toBe('read 1')
  await expect(crib.api.refreshMcpServer(ownerOf(), { name: 'off' })).rejects.toMatchObject({
    code: 'conflict',
    fix: expect.stringContaining('configuration') as string,
  })
  const key = { tenant: 'default', server: 'off' }
  await expect(crib.gateway.refresh(key)).rejects.toMatchObject({ code: 'upstream_failed' })
  expect(crib.gateway.findStatus(key)?.connections).toBe(0)
})

test('an added server is restarted on request, and by no other change', async () => {
  const { api, call, tools } = await openOn()
  await api.addMcpServer(ownerOf(), { name: 'own', ...hostile() })
  await until(async () => (await tools('mcp:own:'))['mcp:own:fork'] === 'ready')
  const child = Number(textOf(await call('mcp:own:fork')))
  const restarted = await api.refreshMcpServer(ownerOf(), { name: 'own', restart: true })
  expect(restarted).toMatchObject({ state: 'connected', enabled: true })
  expect(restarted).not.toHaveProperty('restartedAt')
  await until(() => !isAlive(child))
  expect(textOf(await call('mcp:own:read'))).toBe('read 1')
  await api.changeMcpServer(ownerOf(), { name: 'own', title: 'Mine' })
  expect(textOf(await call('mcp:own:read'))).toBe('read 2')
})

test.each(['added', 'declared'] as const)(
  'restarts that overtake each other are one, and all of them succeed: a server that was %s',
  async (how) => {
    const crib = await openGatewayCrib(how === 'declared' ? { own: hostile() } : {}, { config })
    open.push(crib)
    const { api, call, tools } = crib
    if (how === 'added') await api.addMcpServer(ownerOf(), { name: 'own', ...hostile() })
    await until(async () => (await tools('mcp:own:'))['mcp:own:fork'] === 'ready')
    const child = Number(textOf(await call('mcp:own:fork')))
    const restart = async (afterMs: number) => {
      await new Promise((resolve) => setTimeout(resolve, afterMs))
      return (await api.refreshMcpServer(ownerOf(), { name: 'own', restart: true })).state
    }
    const look = async (afterMs: number) => {
      await new Promise((resolve) => setTimeout(resolve, afterMs))
      return (await api.refreshMcpServer(ownerOf(), { name: 'own' })).state
    }
    const states = await Promise.all([
      restart(0),
      restart(0),
      restart(5),
      look(5),
      restart(30),
      look(60),
    ])
    expect(states).toEqual(states.map(() => 'connected'))
    await until(() => !isAlive(child))
    const { items } = await api.readEvents(ownerOf(), { types: ['mcp.server.changed'], limit: 10 })
    expect(items).toHaveLength(how === 'added' ? 1 : 0)
  },
)

test('who signs in where nobody does is told how people could', async () => {
  const { api } = await openOn()
  await api.addMcpServer(ownerOf(), { name: 'own', ...hostile() })
  await api.addMcpServer(ownerOf(), { name: 'web', url: 'https://hub.example/mcp', enabled: false })
  for (const [server, way] of [
    ['own', 'toolcrib mcp edit own --env'],
    ['web', 'toolcrib mcp edit web --oauth'],
  ] as const) {
    await expect(api.authorizeMcpServer(ownerOf(), { name: server })).rejects.toMatchObject({
      code: 'invalid_request',
      fix: expect.stringContaining(way) as string,
    })
  }
})

test('a call to a server that was never listed gets the reason, and strangers do not', async () => {
  const { api, call, gateway } = await openOn()
  await api.addMcpServer(ownerOf(), { name: 'own', ...hostile('refuse') })
  await until(() => gateway.findStatus({ tenant: 'default', server: 'own' })?.state === 'down')
  expect((await call('mcp:own:read')).error).toMatchObject({
    code: 'upstream_failed',
    message: expect.stringContaining('own is down, and its tools are not known yet') as string,
    retryable: true,
  })
  expect((await call('mcp:none:read')).error?.code).toBe('tool_not_found')
  const policy = { kind: 'policy', name: 'tenant', body: { deny: ['mcp:own:*'] } } as const
  await api.writePolicyDocument(ownerOf(), policy)
  expect((await call('mcp:own:read')).error?.code).toBe('tool_not_found')
})

const wrong: [how: string, spec: object, message: string, fix: string][] = [
  ['a program that is not there', { command: 'no-such-program' }, 'was not found', 'full path'],
  ['a folder that is not there', { ...hostile(), cwd: '/not/there' }, 'folder', '/not/there'],
  ['a program that ends', hostile('refuse'), 'exit code 9', 'Run the program yourself'],
  [
    'an address that nobody is at',
    { url: 'http://127.0.0.1:1024/mcp' },
    'reached',
    'whether it runs',
  ],
]

test.each(wrong)('a test of a server with %s suggests a fix', async (_how, spec, ...told) => {
  const { api } = await openOn()
  const { ok, problem } = await api.testMcpServer(ownerOf(), { name: 'own', server: spec })
  const [message, fix] = told
  expect({ ok, ...problem }).toMatchObject({
    ok: false,
    code: 'upstream_failed',
    message: expect.stringContaining(message) as string,
    fix: expect.stringContaining(fix) as string,
  })
})

test('why a program is down is the line that names the error, and callers are told nothing of it', async () => {
  const { api, call, gateway } = await openOn()
  const script =
    'console.error("Error: no licence\\n    at start (x.js:1)\\n\\nNode.js v24"); process.exit(1)'
  await api.addMcpServer(ownerOf(), {
    name: 'own',
    command: process.execPath,
    args: ['-e', script],
  })
  await until(() => gateway.findStatus({ tenant: 'default', server: 'own' })?.state === 'down')
  const { reason } = await api.findMcpServer(ownerOf(), { name: 'own' })
  expect(reason).toBe('its process ended with exit code 1: Error: no licence')
  await expect(api.refreshMcpServer(ownerOf(), { name: 'own' })).rejects.toMatchObject({
    fix: expect.stringContaining('Run the program yourself') as string,
  })
  expect(JSON.stringify(await call('mcp:own:any'))).not.toMatch(/licence|yourself/)
})

test('a secret that is named where none is looked up is refused with the right place', async () => {
  const { api } = await openOn()
  const spec = hostile()
  const args = [...(spec.args ?? []), '--token=secret:hub_token']
  await expect(api.addMcpServer(ownerOf(), { name: 'own', ...spec, args })).rejects.toMatchObject({
    code: 'invalid_request',
    fix: expect.stringContaining('--env') as string,
  })
  const url = 'https://hub.example/mcp?key=secret:hub_token'
  await expect(api.addMcpServer(ownerOf(), { name: 'web', url })).rejects.toMatchObject({
    fix: expect.stringContaining('--header') as string,
  })
})
