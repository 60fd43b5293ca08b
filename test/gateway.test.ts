import { afterEach, expect, test } from 'vitest'
import { ownerOf } from '../src/app/owner.ts'
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

async function openHostile(
  habits = '',
  more: Parameters<typeof hostile>[1] = {},
  options: Parameters<typeof openGatewayCrib>[1] = {},
): Promise<GatewayCrib> {
  const crib = await openGatewayCrib({ bad: hostile(habits, more) }, options)
  open.push(crib)
  await until(async () => (await crib.tools('mcp:bad:'))['mcp:bad:say'] !== undefined)
  return crib
}

test('one bad tool is set aside with its reason, and the others work', async () => {
  const crib = await openHostile('bad-tools')
  const tools = await crib.tools('mcp:bad:')
  const aside = Object.keys(tools).filter((name) => tools[name] === 'quarantined')
  expect(aside).toEqual([
    'mcp:bad:bomb',
    'mcp:bad:deep',
    'mcp:bad:hidden',
    'mcp:bad:list-schema',
    'mcp:bad:no-schema',
    'mcp:bad:remote',
  ])
  const odd = Object.keys(tools).filter((name) => name.includes('odd'))
  expect(odd).toHaveLength(2)
  const answers = await Promise.all(odd.map((name) => crib.call(name)))
  expect(answers.map(textOf).sort()).toEqual(['odd name!', 'odd name?'])
  expect(textOf(await crib.call('mcp:bad:say', { a: 1 }))).toBe('{"a":1}')
  // What every object knows is a name like any other.
  for (const name of ['constructor', '__proto__']) {
    expect(textOf(await crib.call(`mcp:bad:${name}`))).toBe(name)
  }
  const status = crib.gateway.findStatus({ tenant: 'default', server: 'bad' })
  const deep = status?.tools.find(({ name }) => name === 'deep')
  expect(deep?.reason).toContain('nested deeper than 500 levels')
  const bossy = status?.tools.find(({ name }) => name === 'bossy')
  expect(bossy).toMatchObject({ state: 'ready', findings: [{ kind: 'instruction' }] })
})

test('a tool that changes is set aside with what has changed, and is not called', async () => {
  const crib = await openHostile()
  await crib.call('mcp:bad:change')
  await until(async () => (await crib.tools('mcp:bad:'))['mcp:bad:say'] === 'quarantined')
  expect((await crib.tools('mcp:bad:'))['mcp:bad:extra']).toBe('ready')
  expect((await crib.call('mcp:bad:say')).error?.code).toBe('tool_not_found')
  const status = crib.gateway.findStatus({ tenant: 'default', server: 'bad' })
  expect(status?.tools.find(({ name }) => name === 'say')?.differences).toEqual([
    { path: '/description', before: 'Says what it was told', after: 'Says something else now' },
  ])
})

test('a server that dies under a call leaves its outcome unknown, and the next call starts it again', async () => {
  const crib = await openHostile('', { effects: { 'die-reading': 'read' } })
  expect((await crib.call('mcp:bad:die')).error).toMatchObject({ code: 'outcome_unknown' })
  expect(textOf(await crib.call('mcp:bad:say'))).toBe('{}')
  expect((await crib.call('mcp:bad:die-reading')).error).toMatchObject({ code: 'upstream_failed' })
})

test('a tool that kills its server leaves the others there: a call starts it again, a few times a minute', async () => {
  const crib = await openHostile()
  const state = () => crib.gateway.findStatus({ tenant: 'default', server: 'bad' })?.state
  for (let round = 0; round < 4; round += 1) {
    expect((await crib.call('mcp:bad:die')).error).toMatchObject({ code: 'outcome_unknown' })
    expect((await crib.tools('mcp:bad:'))['mcp:bad:say']).toBe('ready')
    expect(textOf(await crib.call('mcp:bad:say'))).toBe('{}')
  }
  const killed = async () => (await crib.call('mcp:bad:die')).error
  const isRefused = async () => {
    const error = await killed()
    return error?.code === 'upstream_failed' ? error : undefined
  }
  await until(async () => (await isRefused()) !== undefined)
  expect(state()).toBe('down')
  const { error } = await crib.call('mcp:bad:say')
  expect(error).toMatchObject({ code: 'upstream_failed', retryable: true })
  expect(error?.message).toContain('did not stay up: its process ended with exit code 7')
  expect(error?.fix).toMatch(/started again at .*Z/)
})

test('a result of 50 MB and a flood of messages cost one call and no more', async () => {
  const crib = await openHostile()
  const before = process.memoryUsage().rss
  const { error } = await crib.call('mcp:bad:huge')
  expect(error?.message).toContain('maxResultBytes')
  expect(textOf(await crib.call('mcp:bad:flood'))).toBe('flooded')
  expect(textOf(await crib.call('mcp:bad:say'))).toBe('{}')
  expect(process.memoryUsage().rss - before).toBeLessThan(400_000_000)
})

test('a tool that hangs ends with its time, and one that is cancelled at once', async () => {
  const crib = await openHostile('', { timeouts: { hang: 300 } })
  expect((await crib.call('mcp:bad:hang')).error?.code).toBe('timeout')
  const stop = new AbortController()
  const running = crib.call('mcp:bad:hang', {}, { signal: stop.signal, timeoutMs: 60_000 })
  stop.abort()
  expect((await running).status).toBe('cancelled')
})

test('a server is given what it asks for by name and nothing else, and its answers show none of it', async () => {
  const env = { HUB_TOKEN: 'sesame-open-1234', OTHER: 'not yours' }
  const crib = await openHostile('', { env: { TOKEN: 'env:HUB_TOKEN' } }, { env })
  const seen = JSON.parse(textOf(await crib.call('mcp:bad:env'))) as Record<string, string>
  expect(seen['TOKEN']).toBe('[redacted:HUB_TOKEN]')
  expect(seen['OTHER']).toBeUndefined()
  const { error } = await crib.call('mcp:bad:fail')
  expect(error).toMatchObject({ code: 'tool_failed', message: 'no, [redacted:HUB_TOKEN]' })
  const status = crib.gateway.findStatus({ tenant: 'default', server: 'bad' })
  expect(status?.errorOutput).toContain('starting with [redacted:HUB_TOKEN]')
})

test('what a server started ends with it', async () => {
  const crib = await openHostile()
  const pid = Number(textOf(await crib.call('mcp:bad:fork')))
  expect(isAlive(pid)).toBe(true)
  await crib.gateway.stop({ tenant: 'default', server: 'bad' })
  await until(() => !isAlive(pid))
})

test('a question goes to the caller, and the server hears if nobody can be asked', async () => {
  const crib = await openHostile()
  // This one goes on without an answer, and shows what it was told.
  expect(textOf(await crib.call('mcp:bad:ask'))).toContain('nobody is there to be asked')
  const asked: unknown[] = []
  const client = {
    abilities: new Set(['elicitation.form'] as const),
    ask: async (requests: object) => {
      asked.push(requests)
      return { answer: { action: 'accept', content: { yes: true } } }
    },
    log: () => undefined,
  }
  const said = textOf(await crib.call('mcp:bad:ask', {}, { client }))
  expect(JSON.parse(said)).toMatchObject({ result: { action: 'accept', content: { yes: true } } })
  expect(asked).toHaveLength(1)
})

test('tools are there at once after a restart, while their server is down, and say so', async () => {
  const store = await freshStore()
  const first = await openHostile('', {}, { store })
  await first.close()
  open.splice(0)
  const second = await openGatewayCrib({ bad: hostile('deaf') }, { store })
  open.push(second)
  expect((await second.tools('mcp:bad:'))['mcp:bad:say']).toBe('ready')
})

test('the tools of a server that can not be started stay in the list, with the reason', async () => {
  const store = await freshStore()
  const first = await openHostile('', {}, { store })
  await first.close()
  open.splice(0)
  const second = await openGatewayCrib({ bad: hostile('refuse') }, { store })
  open.push(second)
  await until(() => second.gateway.statusOf('default')[0]?.state === 'down')
  await until(async () => (await second.tools('mcp:bad:'))['mcp:bad:say'] === 'quarantined')
  const [explained] = (await second.api.explain(ownerOf(), { tool: 'mcp:bad:say' })).items
  expect(explained?.reasons.join()).toContain('exit code 9')
  const { error } = await second.call('mcp:bad:say')
  expect(error).toMatchObject({ code: 'upstream_failed', retryable: true })
  expect(error?.message).toContain('is down: its process ended with exit code 9')
})

test('a server with thousands of tools is taken in up to the bound', async () => {
  const warnings: string[] = []
  const crib = await openHostile('many', {}, { warnings })
  const status = crib.gateway.findStatus({ tenant: 'default', server: 'bad' })
  expect(status?.tools).toHaveLength(5000)
  expect(warnings.join()).toContain('more tools than are taken in')
  const { toolCounts } = await crib.api.findMcpServer(ownerOf(), { name: 'bad' })
  expect(toolCounts).toEqual({ ready: 5000, quarantined: 0, leftOut: 0, beyond: 1017 })
})

test('a server that ends at a protocol it does not know is asked in the one it does', async () => {
  const crib = await openHostile('touchy')
  expect(textOf(await crib.call('mcp:bad:say'))).toBe('{}')
  const status = crib.gateway.findStatus({ tenant: 'default', server: 'bad' })
  expect(status?.verdict).toMatchObject({ era: 'legacy', version: '2025-06-18' })
})
