import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { ownerOf } from '../src/app/owner.ts'
import {
  type GatewayCrib,
  isAlive,
  openGatewayCrib,
  type ServerInput,
  textOf,
  until,
} from './setup/gateway-crib.ts'

const program = fileURLToPath(new URL('mcp/upstream/growing-server.ts', import.meta.url))
const key = { tenant: 'default', server: 'up' }
const open: GatewayCrib[] = []
afterEach(async () => {
  for (const crib of open.splice(0)) await crib.close()
})

async function openGrowing(more: Partial<ServerInput> = {}): Promise<GatewayCrib> {
  const crib = await openGatewayCrib({
    up: { command: process.execPath, args: [program], ...more },
  })
  open.push(crib)
  await until(async () => (await crib.tools('mcp:up:'))['mcp:up:pid'] === 'ready')
  return crib
}

test('a server of today tells of a tool that it has learned, which can be called at once', async () => {
  const crib = await openGrowing()
  expect(crib.gateway.findStatus(key)?.verdict?.era).toBe('modern')
  expect((await crib.call('mcp:up:learned')).error?.code).toBe('tool_not_found')
  expect(textOf(await crib.call('mcp:up:learn'))).toBe('learned')
  await until(async () => (await crib.tools('mcp:up:'))['mcp:up:learned'] === 'ready')
  expect(textOf(await crib.call('mcp:up:learned'))).toBe('as learned')
})

test('readers of a resource of a current server hear of its changes', async () => {
  const crib = await openGrowing()
  const heard = new Set<string>()
  const read = () => crib.api.readResource(ownerOf(), { uri: 'note://today' })
  const stop = crib.api.watchResources('default', (uri) => heard.add(uri))
  expect(await read()).toEqual([{ uri: 'note://today', text: 'first' }])
  // What is asked for is on its way when the reading has ended.
  await until(async () => {
    await crib.call('mcp:up:write', { text: 'second' })
    return heard.has('note://today')
  })
  expect(await read()).toEqual([{ uri: 'note://today', text: 'second' }])
  stop()
})

test('a process that nobody uses is stopped, its tools stay, and the next call starts another', async () => {
  const crib = await openGrowing({ idleMs: 1000 })
  const first = Number(textOf(await crib.call('mcp:up:pid')))
  await until(() => !isAlive(first))
  await until(() => crib.gateway.findStatus(key)?.state === 'idle')
  expect(crib.gateway.findStatus(key)).toMatchObject({ connections: 0, restarts: 0 })
  expect((await crib.tools('mcp:up:'))['mcp:up:pid']).toBe('ready')
  const second = Number(textOf(await crib.call('mcp:up:pid')))
  expect(second).not.toBe(first)
  expect(isAlive(second)).toBe(true)
})
