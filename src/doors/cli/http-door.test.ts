import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { ownerOf } from '../../app/owner.ts'
import { defineTool } from '../../core/define-tool.ts'
import { createTestCrib } from '../../testing/create-test-crib.ts'
import { type OpenDoor, openDoor, useDoors, webOwner } from '../http/testing/open-door.ts'
import { type LineOptions, runLine } from './testing/run-line.ts'

const echo = defineTool({
  name: 'text.echo',
  description: 'Returns its input.',
  effect: 'read',
  inputSchema: z.object({}),
  execute: (input) => input,
})

const openNext = useDoors()

/** Command lines against the real HTTP door, so that the two doors cannot drift apart. */
function openLines(door: OpenDoor = openNext()) {
  const fetch = async (url: string, init?: RequestInit): Promise<Response> =>
    door.app.request(url, init)
  const env = { TOOLCRIB_URL: 'http://127.0.0.1:4680', TOOLCRIB_KEY: door.keys.owner }
  const run = (argv: string[], options: LineOptions = {}) =>
    runLine(argv, { env, ...options, more: { fetch } })
  return { door, run }
}

test('a call streams its partial output and ends with the result', async () => {
  const { run } = openLines()
  expect(await run(['call', 'text.stream'])).toEqual({
    code: 0,
    out: 'one two three\n',
    err: 'one\ntwo\nthree\n',
  })
})

test('a background call is followed to its end in one go', async () => {
  const { run } = openLines()
  expect(await run(['call', 'report.build'])).toEqual({ code: 0, out: 'Pages  3\n', err: '' })
})

test('a call without permission, an unknown tool and a wrong key each have their exit code', async () => {
  const door = openNext()
  const { run } = openLines(door)
  const { token } = await door.api.createKey(webOwner, { name: 'reader', scopes: ['audit.read'] })
  const TOOLCRIB_URL = 'http://127.0.0.1:4680'
  const readerOnly = { env: { TOOLCRIB_URL, TOOLCRIB_KEY: token } }
  expect((await run(['call', 'text.echo'], readerOnly)).code).toBe(3)
  expect((await run(['call', 'text.eho'])).err).toContain('Did you mean text.echo?')
  const unknown = { env: { TOOLCRIB_URL, TOOLCRIB_KEY: 'crib_nobody' } }
  expect((await run(['tools'], unknown)).code).toBe(3)
})

test('Ctrl-C cancels a call that would never end, and once more leaves it', async () => {
  const door = await openDoor()
  const { run } = openLines(door)
  const statuses = async () => (await door.calls()).map(({ status }) => status)
  let interrupt = () => {}
  const interruptOnce = {
    isTty: true,
    onStart: (signal: () => void) => (interrupt = signal),
    onErr: (text: string) => text.includes('waiting') && interrupt(),
  }
  expect((await run(['call', 'time.forever'], interruptOnce)).code).toBe(5)
  expect(await statuses()).toEqual(['cancelled'])
  const { call } = door.api
  // The call is cancelled, but its answer never arrives.
  door.api.call = async (request) => {
    await call(request)
    return new Promise(() => {})
  }
  const line = run(['call', 'time.forever'], interruptOnce)
  await expect.poll(statuses).toEqual(['cancelled', 'cancelled'])
  interrupt()
  expect((await line).code).toBe(130)
})

test('tools, one tool, explain and events are read', async () => {
  const { run } = openLines()
  expect((await run(['tools'])).out).toContain('8 tools (and 19 built in).')
  expect((await run(['tools', 'mcp:docs:search'])).out).toMatch(/^mcp:docs:search  search\n/)
  expect((await run(['explain'])).out).toMatch(/\d+ tools: \d+ allowed, [1-9]\d* asked about/)
  await run(['call', 'text.stream'])
  const { out } = await run(['events', '--json'])
  const types = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).type)
  expect(types.slice(-3)).toEqual(['call.output', 'call.output', 'call.completed'])
})

test('following shows what happens after it began, and a call to its end', async () => {
  const door = await openDoor()
  const { run } = openLines(door)
  await run(['call', 'text.echo'])
  const before = door.log.watchers
  const following = run(['events', '--follow', '--limit', '3', '--json'])
  await expect.poll(() => door.log.watchers).toBe(before + 1)
  await run(['call', 'text.echo'])
  const { code, out } = await following
  const [second, first] = (await door.calls()).map(({ callId }) => callId)
  const seen = out.trim().split('\n')
  expect({ code, calls: seen.map((line) => JSON.parse(line).callId) }).toEqual({
    code: 0,
    calls: [second, second, second],
  })
  const ofCall = await run(['events', '--follow', '--call', first ?? ''])
  expect({ code: ofCall.code, lines: ofCall.out.trim().split('\n').length }).toEqual({
    code: 0,
    lines: 3,
  })
})

test('keys are created and revoked', async () => {
  const { run } = await openCribLines()
  const words = ['keys', 'create', '--name', 'ci', '--scope', 'tools.*', '--expires', '1d']
  expect((await run(words)).out).toMatch(/^crib_\w+\n$/)
  const listed = JSON.parse((await run(['keys', '--json'])).out) as { items: { id: string }[] }
  const id = listed.items.at(-1)?.id ?? ''
  expect((await run(['keys', 'revoke', id])).code).toBe(0)
  expect((await run(['keys', 'revoke', id])).code).toBe(4)
})

test('secrets are written, noted, checked and deleted, and the key ring is shown', async () => {
  const { run } = await openCribLines()
  const stdin = 'a value of its own'
  expect((await run(['secrets', 'set', 'a_key'], { stdin })).code).toBe(0)
  expect((await run(['secrets', '--json'])).out).toContain('"name":"a_key","version":1')
  expect((await run(['secrets', 'note', 'a_key', '--description', 'Mine'])).code).toBe(0)
  expect((await run(['secrets', 'test', 'a_key'])).out).toContain('provides a check for a_key')
  expect((await run(['secrets', 'delete', 'a_key'])).code).toBe(0)
  expect((await run(['secrets', 'delete', 'a_key'])).code).toBe(4)
  expect((await run(['keyring'])).out).toContain('in use')
  expect((await run(['keyring', 'drop', 'k9'])).code).toBe(4)
})

/** Command lines of one noun against a real crib. */
async function openCribLines(...noun: string[]) {
  const crib = await createTestCrib({ tools: [echo] })
  onTestFinished(() => crib.close())
  const { token } = await crib.api.createKey(ownerOf(), { name: 'cli', scopes: ['*'] })
  const env = { TOOLCRIB_URL: 'http://localhost:4680', TOOLCRIB_KEY: token }
  const fetch = (url: string, init?: RequestInit) => crib.fetch(new Request(url, init))
  return {
    crib,
    run: (argv: string[], options: LineOptions = {}) =>
      runLine([...noun, ...argv], { env, ...options, more: { fetch } }),
  }
}

test('limits are set, shown, listed and removed', async () => {
  const { crib, run } = await openCribLines('limits')
  const paced = ['set', 'pace', '--of', 'tool', '--calls-per-minute', '60']
  const set = await run([...paced, '--tools', 'text.*,none.*', '--cost-per-day', '1.5', '--json'])
  expect(JSON.parse(set.out)).toEqual({
    name: 'pace',
    of: 'tool',
    tools: ['text.*', 'none.*'],
    callsPerMinute: 60,
    costPerDay: 1.5,
    isGlobal: false,
    isDeclared: false,
    updatedAt: expect.any(String),
    updatedBy: { kind: 'key', id: expect.any(String) },
    use: [],
    warnings: ['tools none.* matches no tool at the moment'],
  })
  expect((await run([])).out).toContain('60 calls/min, 1.5 units/day')
  const unused = (await run(['show', 'pace'])).out
  expect(unused).toContain('each tool, calls of text.* none.*')
  expect(unused).toContain('No recent use.')
  await crib.call('text.echo', {})
  expect((await run(['show', 'pace'])).out).toMatch(/who +used\ntool:text.echo +1 of 60 calls\/min/)
  expect((await run(['remove', 'pace'])).code).toBe(0)
  expect((await run(['remove', 'pace'])).code).toBe(4)
  expect((await run([])).out).toContain('No limits.')
  for (const wrong of [
    ['set', 'pace'],
    ['set', 'pace', '--of', 'key'],
    ['set', 'pace', '--of', 'planet', '--concurrent', '1'],
    ['set', 'pace', '--of', 'key', '--concurrent', '1.5'],
    ['set', 'pace', '--of', 'key', '--cost-per-day', 'much'],
    ['show'],
  ])
    expect([wrong, (await run(wrong)).code]).toEqual([wrong, 2])
})

test('a limit without a number that can be read is refused before anything is sent', async () => {
  const { run } = await openCribLines('limits')
  expect((await run(['set', 'pace', '--of', 'key'])).err).toContain(
    'Give at least one of --calls-per-minute, --concurrent,',
  )
  expect((await run(['set', 'pace', '--of', 'key', '--cost-per-day', '1.1234567'])).err).toContain(
    '--cost-per-day takes a number from 0',
  )
})

test('a limit with more users than are shown points to the rest', async () => {
  const { crib, run } = await openCribLines('limits')
  await run(['set', 'pace', '--of', 'key', '--calls-per-minute', '60'])
  for (const name of ['one', 'two']) {
    const { token } = await crib.api.createKey(ownerOf(), { name, scopes: ['tools.call'] })
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const url = 'http://localhost:4680/api/v1/tools/text.echo/calls'
    await crib.fetch(new Request(url, { method: 'POST', headers, body: '{"input":{}}' }))
  }
  expect((await run(['show', 'pace', '--limit', '1'])).out).toContain('There are more: use --limit')
  expect((await run(['show', 'pace'])).out).not.toContain('There are more')
})

test('schedules are added, changed, run and deleted', async () => {
  const { run } = await openCribLines('schedules')
  const added = await run(['add', 'often', '--tool', 'text.echo', '--every', '90m', '--json'])
  expect(added.code).toBe(0)
  const { id } = JSON.parse(added.out) as { id: string }
  expect((await run([])).out).toContain('every 1h30m')
  expect((await run(['change', id, '--every', '2h', '--name', 'rarely'])).out).toContain('rarely')
  for (const action of ['show', 'pause', 'resume', 'run', 'runs', 'delete'])
    expect([action, (await run([action, id])).code]).toEqual([action, 0])
  expect((await run(['show', id])).code).toBe(4)
  expect((await run(['add', 'n', '--tool', 'text.echo', '--cron', 'tea time'])).code).toBe(2)
})
