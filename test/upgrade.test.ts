import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CallRecord } from '../src/core/kernel/call.ts'
import type { Schedule, ScheduleRun } from '../src/features/schedules/schemas.ts'
import { unpackTar } from '../src/store/engine/pglite/unpack-tar.ts'
import type { OldFolderNotes } from './fixtures/old-data-folder/notes.ts'
import { type ServerProcess, startServerProcess } from './setup/server-process.ts'

const fixtures = path.join(import.meta.dirname, 'fixtures')
const old = path.join(fixtures, 'old-data-folder')
const preload = pathToFileURL(path.join(fixtures, 'set-clock.ts')).href
/** So late that the hourly schedule has missed a time, so early that no approval has expired. */
const afterMs = 90 * 60_000

let folder: string
let server: ServerProcess
let notes: OldFolderNotes
const place = (name: string) => path.join(folder, name)

/** The data folder that an earlier version left when it was killed, under this version. */
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'toolcrib upgrade '))
  notes = JSON.parse(await readFile(path.join(old, 'notes.json'), 'utf8')) as OldFolderNotes
  unpackTar(zstdDecompressSync(await readFile(path.join(old, 'folder.tar.zst'))), folder)
  await writeFile(place('clock'), String(notes.madeAt + afterMs - Date.now()))
  server = await startServerProcess({
    cwd: folder,
    data: place('data'),
    args: ['crash-tools', 'approval-tools'].flatMap((name) => [
      '--tools',
      path.join(fixtures, name),
    ]),
    env: {
      CRASH_EFFECTS: place('effects'),
      APPROVAL_EFFECTS: place('letters'),
      NODE_OPTIONS: `--import=${preload} --disable-warning=ExperimentalWarning`,
      TEST_CLOCK_FILE: place('clock'),
    },
  })
})
afterAll(async () => {
  await server?.stop().catch(() => undefined)
  await rm(folder, { recursive: true, force: true })
})

async function ask<T>(route: string, init?: RequestInit & { json?: unknown }): Promise<T> {
  const response = await server.request(`/api/v1${route}`, init)
  const answer = (await response.json()) as T
  expect(response.ok, `${route}: ${JSON.stringify(answer)}`).toBe(true)
  return answer
}

const settled = (callId: string) => ask<CallRecord>(`/calls/${callId}?wait=30`)

async function lines(name: string): Promise<string[]> {
  const text = await readFile(place(name), 'utf8').catch(() => '')
  return text.split('\n').filter(Boolean)
}

test('reads of its journal are found, and a key that was used is not used again', async () => {
  for (const [i, callId] of notes.calls.journal.entries()) {
    const { status, output } = await settled(callId)
    expect([status, output]).toEqual(['completed', { id: ['one', 'two', 'three'][i] }])
  }
  const again = await ask<CallRecord>('/tools/crash.write/calls', {
    json: { input: { id: 'done', ms: 0 } },
    headers: { 'idempotency-key': 'done' },
  })
  expect([again.callId, again.output]).toEqual([notes.calls.done, { id: 'done' }])
  expect((await lines('effects')).filter((line) => line.endsWith(' done'))).toEqual([])
})

test('a call that was running is run again if that is safe, and has an unknown outcome if not', async () => {
  const { status, output, attempt } = await settled(notes.calls.read)
  expect([status, output, attempt]).toEqual(['completed', { id: 'read' }, 2])
  const write = await settled(notes.calls.write)
  expect([write.status, write.error?.code]).toEqual(['failed', 'outcome_unknown'])
  expect((await lines('effects')).filter((line) => line.endsWith(' write'))).toEqual([])
})

test('pending approvals are decided, and the calls that wait for them continue', async () => {
  const { items } = await ask<{ items: { id: string; input: { id: string } }[] }>('/approvals')
  expect(items.map(({ input }) => input.id).toSorted()).toEqual(['digest inner', 'letter'])
  for (const { id } of items) {
    await ask(`/approvals/${id}/decision`, { json: { decision: 'approve' } })
  }
  expect(await settled(notes.calls.waiting)).toMatchObject({ output: { sent: 'letter' } })
  expect(await settled(notes.calls.asking)).toMatchObject({ output: { sent: 'digest inner' } })
  expect((await lines('letters')).toSorted()).toEqual(['digest inner', 'letter'])
})

test('schedules catch up what they missed, stay paused, and can be changed', async () => {
  const { hourly, paused } = notes.schedules
  const runs = () => ask<{ items: ScheduleRun[] }>(`/schedules/${hourly}/runs`)
  await expect
    .poll(async () => (await runs()).items.map(({ trigger, status }) => [trigger, status]), {
      timeout: 30_000,
    })
    .toEqual([['time', 'completed']])
  expect(await ask<Schedule>(`/schedules/${paused}`)).toMatchObject({
    state: 'paused',
    agent: 'support',
    when: { cron: '0 9 * * 1-5', timezone: 'Europe/Berlin' },
  })
  const change = { method: 'PATCH', body: JSON.stringify({ paused: false, note: 'new' }) }
  expect(await ask<Schedule>(`/schedules/${paused}`, change)).toMatchObject({
    state: 'active',
    note: 'new',
  })
})

test('rules, secrets, keys and conversations are there, and the audit log is whole', async () => {
  expect(await ask('/agents/support')).toMatchObject({ tools: { allow: ['crash.*', 'mail.*'] } })
  expect(await ask('/limits/reads')).toMatchObject({ callsPerMinute: 500 })
  expect(await ask('/secrets')).toMatchObject({ items: [{ name: 'api_key', version: 1 }] })
  const headers = { authorization: `Bearer ${notes.token}` }
  expect(await ask(`/calls/${notes.calls.done}`, { headers })).toMatchObject({
    tool: 'crash.write',
  })
  const { items } = await ask<{ items: { role: string }[] }>(`/conversations/${notes.conversation}`)
  expect(items.map(({ role }) => role)).toEqual(['user', 'assistant'])
  expect(await ask('/audit/verify')).toMatchObject({ problems: [] })
})
