import { afterEach, describe, expect, test } from 'vitest'
import { type Crib, type CribOptions, defineTool, z } from '../src/app/index.ts'
import { ownerOf } from '../src/app/owner.ts'
import type { Caller } from '../src/core/kernel/call.ts'
import type { OpenStores } from '../src/features/open-stores.ts'
import type { ScheduleRequest, ScheduleRun } from '../src/features/schedules/schemas.ts'
import { freshStore } from '../src/testing/fresh-store.fixture.ts'
import { createTestCrib } from '../src/testing/index.ts'

const owner = ownerOf()
const other = ownerOf('other')
const agents = [
  { slug: 'support', tools: { allow: ['*'] } },
  { slug: 'billing', tools: { allow: ['*'] } },
]
const ran: unknown[] = []

const note = defineTool({
  name: 'test.note',
  description: 'Notes what it is given.',
  effect: 'write',
  inputSchema: z.object({ text: z.string() }),
  execute: ({ text }, { principal }) => {
    ran.push({ text, by: principal.id })
    return text
  },
})
const guarded = defineTool({
  name: 'test.guarded',
  description: 'Needs a permission.',
  effect: 'read',
  permission: 'vault.open',
  inputSchema: z.object({}),
  execute: () => 'opened',
})

const keyHolder = defineTool({
  name: 'test.send',
  description: 'Uses a secret.',
  effect: 'write',
  secrets: ['api_key'],
  inputSchema: z.object({ text: z.string() }),
  execute: () => 'sent',
})

const cribs: Crib[] = []
afterEach(async () => {
  ran.length = 0
  for (const crib of cribs.splice(0)) await crib.close()
})

async function open(store?: OpenStores, more: CribOptions = {}): Promise<Crib> {
  const crib = await createTestCrib({
    store,
    config: { agents, tenants: [{ slug: 'other' }] },
    tools: [note, guarded, keyHolder],
    ...more,
  })
  cribs.push(crib)
  return crib
}

async function keyed({ api }: Crib, scopes: string[], agent?: string): Promise<Caller> {
  const { token } = await api.createKey(owner, { name: scopes.join(), scopes, agent })
  const caller = await api.authenticate(token, 'api')
  if (caller === undefined) throw new Error('The key is not known')
  return caller
}

const hourly: ScheduleRequest = {
  name: 'hourly',
  tool: 'test.note',
  input: { text: 'hello' },
  when: { every: '1h' },
}

/** The newest run, once it is finished. */
async function finished({ api }: Crib, id: string, caller = owner): Promise<ScheduleRun> {
  for (let look = 0; look < 200; look += 1) {
    const { items } = await api.listScheduleRuns(caller, { id, limit: 1 })
    if (items[0]?.finishedAt !== undefined) return items[0]
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error(`No run of ${id} finished`)
}

describe('a schedule', () => {
  test('does not take an input with a secret of its tool, which all its readers would see', async () => {
    const crib = await open()
    await crib.api.writeSecret(owner, { name: 'api_key', value: 'sk_live_4242' })
    const request = { ...hourly, tool: 'test.send' }
    const leaking = { text: 'with sk_live_4242 in it' }
    const refusal = { code: 'invalid_request', issues: [{ path: '/input' }] }
    await expect(
      crib.api.createSchedule(owner, { ...request, input: leaking }),
    ).rejects.toMatchObject(refusal)
    const { id } = await crib.api.createSchedule(owner, request)
    await expect(crib.api.updateSchedule(owner, { id, input: leaking })).rejects.toMatchObject(
      refusal,
    )
    const plain = await crib.api.createSchedule(owner, { ...hourly, input: leaking })
    await expect(
      crib.api.updateSchedule(owner, { id: plain.id, tool: 'test.send' }),
    ).rejects.toMatchObject(refusal)
  })

  test('carries a note for people, which its events tell and its runs do not need', async () => {
    const { api } = await open()
    const { id, note } = await api.createSchedule(owner, { ...hourly, note: 'For the board' })
    expect(note).toBe('For the board')
    expect(await api.updateSchedule(owner, { id, paused: true })).toMatchObject({ note })
    expect(await api.updateSchedule(owner, { id, note: null })).not.toHaveProperty('note')
    expect(await api.findSchedule(owner, { id })).not.toHaveProperty('note')
    const { items } = await api.readEvents(owner, {
      types: ['schedule.created', 'schedule.changed'],
      limit: 10,
    })
    expect(items.map(({ data }) => (data as { note?: string }).note)).toEqual([
      note,
      note,
      undefined,
    ])
    for (const bad of ['', 'two\nlines', 'x'.repeat(201), '\ud800']) {
      const refused = api.updateSchedule(owner, { id, note: bad })
      await expect(refused).rejects.toMatchObject({ issues: [{ path: '/note' }] })
    }
    expect(await api.updateSchedule(owner, { id, note: '🗓'.repeat(200) })).toHaveProperty('note')
  })

  test('calls its tool when the time comes, and its history leads to the call', async () => {
    const crib = await open()
    const made = await crib.api.createSchedule(owner, { ...hourly, when: { at: '+1s' } })
    expect(made).toMatchObject({ state: 'active', overlap: 'skip', retries: 3, failures: 0 })
    expect(made.nextRunAt).toBe('at' in made.when ? made.when.at : '')
    const run = await finished(crib, made.id)
    expect(run).toMatchObject({ trigger: 'time', status: 'completed', tries: 1 })
    expect(Date.parse(run.firedAt) - Date.parse(run.dueAt)).toBeLessThan(60_000)
    expect(ran).toEqual([{ text: 'hello', by: `schedule:${made.id}` }])
    const call = await crib.api.findCall(owner, { id: run.callId ?? '' })
    expect(call).toMatchObject({ tool: 'test.note', status: 'completed', sessionId: made.id })
    expect(await crib.api.findSchedule(owner, { id: made.id })).toMatchObject({ state: 'finished' })
    const types = ['schedule.created', 'schedule.fired'] as const
    const { items } = await crib.api.readEvents(owner, { types, limit: 10 })
    expect(items.map(({ type }) => type)).toEqual(types)
    expect(JSON.stringify(items)).not.toContain('hello')
  })

  test('that was due while no server ran fires once when one does, and says what was missed', async () => {
    const store = await freshStore()
    const first = await open(store)
    const made = await first.api.createSchedule(owner, hourly)
    await first.close()
    const later = await open(store, { now: () => Date.now() + 10.5 * 3_600_000 })
    const run = await finished(later, made.id)
    expect(run).toMatchObject({ status: 'completed', missed: 9 })
    expect(ran).toHaveLength(1)
    expect((await later.api.listScheduleRuns(owner, { id: made.id, limit: 9 })).items).toHaveLength(
      1,
    )
  })

  test('for a tool that vanished fails with tool_not_found and is counted', async () => {
    const store = await freshStore()
    const made = await (await open(store)).api.createSchedule(owner, { ...hourly, retries: 0 })
    await cribs[0]?.close()
    const later = await open(store, { tools: [], now: () => Date.now() + 3_600_000 })
    const run = await finished(later, made.id)
    expect(run).toMatchObject({ status: 'failed', error: { code: 'tool_not_found' } })
    expect(await later.api.findSchedule(owner, { id: made.id })).toMatchObject({ failures: 1 })
  })

  test('that policy has since forbidden does not run its tool', async () => {
    const store = await freshStore()
    const made = await (await open(store)).api.createSchedule(owner, { ...hourly, retries: 0 })
    await cribs[0]?.close()
    const config = { agents, policy: { deny: ['test.note'] } }
    const later = await open(store, { config, now: () => Date.now() + 3_600_000 })
    expect(await finished(later, made.id)).toMatchObject({ status: 'failed' })
    expect(ran).toEqual([])
  })

  test('is run now whatever its state, and pausing holds it', async () => {
    const { api, ...crib } = await open()
    const { id } = await api.createSchedule(owner, hourly)
    const paused = await api.updateSchedule(owner, { id, paused: true })
    expect(paused).toMatchObject({ state: 'paused' })
    expect(paused).not.toHaveProperty('nextRunAt')
    const run = await api.runSchedule(owner, { id })
    expect(run).toMatchObject({ trigger: 'now', status: 'running', tries: 1 })
    expect(run.callId).toMatch(/^call_/)
    expect(await finished({ api, ...crib }, id)).toMatchObject({
      runId: run.runId,
      status: 'completed',
      callId: run.callId,
    })
    expect(await api.findSchedule(owner, { id })).toMatchObject({ state: 'paused', failures: 0 })
    expect(await api.updateSchedule(owner, { id, paused: false })).toMatchObject({
      state: 'active',
    })
  })

  test('changed by four at once is changed four times', async () => {
    const { api } = await open()
    const { id } = await api.createSchedule(owner, hourly)
    const changes = Array.from({ length: 4 }, (_, index) =>
      api.updateSchedule(owner, { id, name: `name ${index}` }),
    )
    await Promise.all(changes)
    const { items } = await api.readEvents(owner, { types: ['schedule.changed'], limit: 20 })
    expect(items).toHaveLength(4)
  })
})

describe('making a schedule', () => {
  test('is refused for tools that this caller does not see, and for input that does not fit', async () => {
    const crib = await open()
    const { api } = crib
    const key = await keyed(crib, ['schedules.manage', 'tools.call'])
    for (const tool of ['test.gone', 'test.guarded']) {
      const making = api.createSchedule(key, { ...hourly, tool, input: {} })
      await expect(making).rejects.toMatchObject({ code: 'tool_not_found' })
    }
    const making = api.createSchedule(key, { ...hourly, input: { text: 5 } })
    await expect(making).rejects.toMatchObject({
      code: 'invalid_input',
      issues: [{ path: '/text' }],
    })
  })

  test.each<[string, Partial<ScheduleRequest>, string]>([
    ['cron nonsense', { when: { cron: 'at tea time' } }, '/when/cron'],
    ['a cron that never comes', { when: { cron: '0 0 31 2 *' } }, '/when/cron'],
    ['a name of control characters', { name: 'a\u0000b' }, '/name'],
    ['half a retry', { retries: 1.5 }, '/retries'],
    ['a strange overlap', { overlap: 'maybe' as 'skip' }, '/overlap'],
    ['an endless input', { input: { text: 'x'.repeat(300_000) } }, '/input'],
  ])('is refused for %s', async (_what, change, path) => {
    const { api } = await open()
    await expect(api.createSchedule(owner, { ...hourly, ...change })).rejects.toMatchObject({
      code: 'invalid_request',
      issues: [{ path }],
    })
  })

  test('can be previewed: the next times are returned, and nothing is stored', async () => {
    const crib = await open(undefined, { now: () => Date.parse('2026-11-15T12:00:00Z') })
    const { api } = crib
    const when = { cron: '0 9 * * 1-5', timezone: 'Europe/Berlin' }
    expect(await api.previewSchedule(owner, { when, count: 3 })).toEqual({
      when,
      times: ['2026-11-16T08:00:00.000Z', '2026-11-17T08:00:00.000Z', '2026-11-18T08:00:00.000Z'],
    })
    const once = await api.previewSchedule(owner, { when: { at: '+20m' }, count: 5 })
    expect(once.times).toEqual(['2026-11-15T12:20:00.000Z'])
    await expect(
      api.previewSchedule(owner, { when: { cron: 'at tea time' }, count: 5 }),
    ).rejects.toMatchObject({ code: 'invalid_request', issues: [{ path: '/when/cron' }] })
    const caller = await keyed(crib, ['tools.call'])
    await expect(api.previewSchedule(caller, { when, count: 5 })).rejects.toMatchObject({
      code: 'forbidden',
    })
    expect((await api.listSchedules(owner, { limit: 5 })).items).toEqual([])
  })

  test('needs schedules.manage and tools.call; reading needs the first or audit.read', async () => {
    const crib = await open()
    const { api } = crib
    const { id } = await api.createSchedule(owner, hourly)
    const caller = await keyed(crib, ['tools.call'])
    const auditor = await keyed(crib, ['audit.read'])
    const manager = await keyed(crib, ['schedules.manage'])
    const forbidden = { code: 'forbidden' }
    await expect(api.createSchedule(caller, hourly)).rejects.toMatchObject(forbidden)
    await expect(api.createSchedule(manager, hourly)).rejects.toMatchObject(forbidden)
    await expect(api.listSchedules(caller, { limit: 5 })).rejects.toMatchObject(forbidden)
    await expect(api.runSchedule(auditor, { id })).rejects.toMatchObject(forbidden)
    await expect(api.deleteSchedule(auditor, { id })).rejects.toMatchObject(forbidden)
    expect((await api.listSchedules(auditor, { limit: 5 })).items).toHaveLength(1)
    expect(await api.updateSchedule(manager, { id, paused: true })).toMatchObject({
      state: 'paused',
      runsFor: owner.principal,
    })
  })
})

test('a schedule does no more than the member who wrote it may do when it fires', async () => {
  const crib = await open()
  const { id } = await crib.api.createMember(owner, { email: 'ada@example.com', role: 'admin' })
  const ada: Caller = { ...owner, principal: { kind: 'user', id } }
  const request = { ...hourly, tool: 'test.guarded', input: {}, retries: 0 }
  const own = await crib.api.createSchedule(ada, request)
  const away = await crib.api.createSchedule(await crib.api.actIn(ada, 'other'), request)
  const codesOf = async () => {
    await crib.api.runSchedule(owner, { id: own.id })
    await crib.api.runSchedule(other, { id: away.id })
    const runs = [await finished(crib, own.id), await finished(crib, away.id, other)]
    return runs.map(({ error }) => error?.code)
  }
  expect(await codesOf()).toEqual([undefined, undefined])
  await crib.api.changeMember(owner, { id, role: 'operator' })
  expect(await codesOf()).toEqual(['tool_not_found', 'forbidden'])
  await crib.api.removeMember(owner, { id })
  expect(await codesOf()).toEqual(['forbidden', 'forbidden'])
})

describe('a schedule that is not the caller’s', () => {
  test('is not found by another tenant in any action', async () => {
    const { api } = await open()
    const { id } = await api.createSchedule(owner, hourly)
    for (const action of [
      api.findSchedule(other, { id }),
      api.updateSchedule(other, { id, paused: true }),
      api.runSchedule(other, { id }),
      api.listScheduleRuns(other, { id, limit: 5 }),
      api.deleteSchedule(other, { id }),
    ])
      await expect(action).rejects.toMatchObject({ code: 'not_found' })
    expect(await api.listSchedules(other, { limit: 5 })).toEqual({ items: [] })
    expect(await api.findSchedule(owner, { id })).toMatchObject({ state: 'active' })
  })

  test('is not found by a key of another agent either', async () => {
    const crib = await open()
    const { api } = crib
    const scopes = ['schedules.manage', 'tools.call', 'vault.*']
    const bound = await keyed(crib, scopes, 'support')
    const mine = await api.createSchedule(bound, hourly)
    const wide = await api.createSchedule(owner, hourly)
    const billing = await api.createSchedule(owner, { ...hourly, agent: 'billing' })
    expect(mine.agent).toBe('support')
    expect((await api.listSchedules(bound, { limit: 5 })).items.map(({ id }) => id)).toEqual([
      mine.id,
    ])
    for (const { id } of [wide, billing])
      await expect(api.runSchedule(bound, { id })).rejects.toMatchObject({ code: 'not_found' })
    const making = api.createSchedule(bound, { ...hourly, agent: 'billing' })
    await expect(making).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('cannot be made to do more than the person who changes it may', async () => {
    const crib = await open()
    const { api } = crib
    const { id } = await api.createSchedule(owner, { ...hourly, tool: 'test.guarded', input: {} })
    const lesser = await keyed(crib, ['schedules.manage', 'tools.call'])
    const changing = api.updateSchedule(lesser, { id, input: {} })
    await expect(changing).rejects.toMatchObject({ code: 'tool_not_found' })
    const changed = await api.updateSchedule(lesser, {
      id,
      tool: 'test.note',
      input: { text: 'mine' },
    })
    expect([changed.createdBy, changed.runsFor]).toEqual([owner.principal, lesser.principal])
    const back = api.updateSchedule(lesser, { id, tool: 'test.guarded', input: {} })
    await expect(back).rejects.toMatchObject({ code: 'tool_not_found' })
  })
})
