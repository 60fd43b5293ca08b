import { expect, test } from 'vitest'
import type { Schedule, ScheduleRun } from '../../../features/schedules/schemas.ts'
import { callId, createFakeApi, json, problem } from '../testing/fake-api.ts'
import { everywhereOptions } from '../parse-options.ts'
import { runLine } from '../testing/run-line.ts'

const id = 'sch_01990000000070008000000000000001'
const soon = new Date(Date.now() + 12 * 60_000).toISOString()
const schedule: Schedule = {
  id,
  tenant: 'default',
  name: 'digest',
  tool: 'mail.digest',
  input: { to: 'ada' },
  when: { cron: '0 9 * * 1-5', timezone: 'Europe/Berlin' },
  overlap: 'skip',
  retries: 3,
  state: 'active',
  failures: 0,
  nextRunAt: soon,
  createdBy: { kind: 'user', id: 'owner' },
  runsFor: { kind: 'key', id: 'key_1' },
  createdAt: '2026-11-01T00:00:00.000Z',
  updatedAt: '2026-11-01T00:00:00.000Z',
}
const { nextRunAt: _next, ...resting } = schedule
const run: ScheduleRun = {
  runId: 'srun_1',
  scheduleId: id,
  trigger: 'now',
  status: 'running',
  dueAt: '2026-11-02T10:00:00.000Z',
  firedAt: '2026-11-02T10:00:00.000Z',
  tries: 1,
  callId,
}

test('a schedule is added with its tool, its input and its time', async () => {
  const api = createFakeApi({ 'POST /schedules': () => json(schedule, 201) })
  const words = ['schedules', 'add', 'digest', '--tool', 'mail.digest', '--cron', '0 9 * * 1-5']
  const more = ['--timezone', 'Europe/Berlin', '--input', '{"to":"ada"}', '--retries', '0']
  const line = await runLine([...words, ...more], api)
  expect(line).toEqual({
    code: 0,
    out: `✓ ${id} runs in 12 min\n`,
    err: '! No server is running here. Schedules fire while one is: toolcrib start\n',
  })
  expect(api.last('/schedules')?.body).toEqual({
    name: 'digest',
    tool: 'mail.digest',
    input: { to: 'ada' },
    when: { cron: '0 9 * * 1-5', timezone: 'Europe/Berlin' },
    retries: 0,
  })
  const once = ['schedules', 'add', 'once', '--tool', 'x', '--at', '+20m', '--input', '-', '--json']
  expect(JSON.parse((await runLine(once, { ...api, stdin: '{"a":1}' })).out)).toEqual(schedule)
  expect(api.last('/schedules')?.body).toEqual({
    name: 'once',
    tool: 'x',
    input: { a: 1 },
    when: { at: '+20m' },
  })
})

test.each([
  ['without a name', ['add', '--tool', 'x', '--every', '1h']],
  ['without a tool', ['add', 'name', '--every', '1h']],
  ['with an overlap of its own', ['add', 'name', '--tool', 'x', '--overlap', 'maybe']],
  ['with too many retries', ['add', 'name', '--tool', 'x', '--every', '1h', '--retries', '11']],
  ['without an id', ['pause']],
  ['that is none', ['paus', id]],
])('a command %s names a missing option before anything is sent', async (_what, words) => {
  const { code, err } = await runLine(['schedules', ...words])
  expect(code).toBe(2)
  expect(err).toContain('✗')
})

test('help of one action shows its own options', async () => {
  const optionsOf = async (action: string) =>
    [...(await runLine(['schedules', action, '--help'])).out.matchAll(/^ {2}--([\w-]+)/gm)]
      .map(([, name]) => name ?? '')
      .filter((name) => !Object.hasOwn(everywhereOptions, name))
  expect(await optionsOf('runs')).toEqual(['limit'])
  expect(await optionsOf('pause')).toEqual([])
  expect(await optionsOf('change')).toContain('name')
  expect(await optionsOf('add')).not.toContain('limit')
  const { out } = await runLine(['schedules', 'change', '--help'])
  expect(out).toContain('a note for people; - removes it')
})

test('refusals of the server are shown with their fix', async () => {
  const detail = 'The cron expression "tea" has 1 fields, not 5 or 6'
  const api = createFakeApi({
    'POST /schedules': () =>
      problem({ status: 400, code: 'invalid_request', detail, fix: 'Write five fields.' }),
  })
  const line = await runLine(['schedules', 'add', 'n', '--tool', 'x', '--cron', 'tea'], api)
  expect(line).toMatchObject({ code: 2, err: `✗ ${detail}\n→ Write five fields.\n` })
})

test('schedules are listed with their next run in words, or why there is none', async () => {
  const items = [
    schedule,
    { ...resting, state: 'disabled', when: { every: '15m', from: soon } },
    { ...resting, name: 'evil\u001b[31m', state: 'paused', when: { at: '2026-12-01T09:00:00' } },
  ]
  const api = createFakeApi({ 'GET /schedules': () => json({ items }) })
  expect((await runLine(['schedules'], api)).out.split('\n')).toEqual([
    `id${' '.repeat(36)}name    tool         when                         next run   note`,
    `${id}  digest  mail.digest  0 9 * * 1-5 (Europe/Berlin)  in 12 min`,
    `${id}  digest  mail.digest  every 15m                    disabled`,
    `${id}  evil    mail.digest  at 2026-12-01 09:00          paused`,
    '',
  ])
  expect(JSON.parse((await runLine(['schedules', '--json'], api)).out)).toEqual({ items })
  const none = createFakeApi({ 'GET /schedules': () => json({ items: [] }) })
  expect((await runLine(['schedules'], none)).out).toContain('toolcrib schedules add')
})

test('one schedule is shown, paused, resumed, run and deleted by its id', async () => {
  const paths = `/schedules/${id}`
  const api = createFakeApi({
    [`GET ${paths}`]: () =>
      json({ ...resting, state: 'disabled', reason: 'It failed', failures: 5 }),
    [`PATCH ${paths}`]: ({ body }) =>
      json((body as { paused: boolean }).paused ? { ...resting, state: 'paused' } : schedule),
    [`POST ${paths}/run`]: () => json(run, 202),
    [`DELETE ${paths}`]: () => new Response(null, { status: 204 }),
  })
  const out = async (action: string) => (await runLine(['schedules', action, id], api)).out
  expect((await out('show')).split('\n')).toEqual([
    'digest',
    `id                 ${id}`,
    'tool               mail.digest',
    'input              {"to":"ada"}',
    'when               0 9 * * 1-5 (Europe/Berlin)',
    'next run           disabled',
    'reason             It failed',
    'failures in a row  5',
    'retries            3',
    'overlap            skip',
    'created by         user owner',
    'runs for           key key_1',
    '',
  ])
  expect(await out('pause')).toBe('✓ digest is paused\n')
  expect(api.last(paths)?.body).toEqual({ paused: true })
  expect(await out('resume')).toBe('✓ digest runs in 12 min\n')
  expect(api.last(paths)?.body).toEqual({ paused: false })
  expect(await out('run')).toBe(
    `✓ The run has started\n→ toolcrib call --watch ${callId} follows it\n`,
  )
  expect(await out('delete')).toBe(`✓ Deleted ${id}\n`)
  expect((await runLine(['schedules', 'show', 'sch_9'], api)).code).toBe(4)
})

test('a note is listed and shown, set with an option and removed with a dash', async () => {
  const noted = { ...resting, state: 'paused', note: 'For the board' } as const
  const api = createFakeApi({
    'GET /schedules': () => json({ items: [noted] }),
    [`GET /schedules/${id}`]: () => json(noted),
    [`PATCH /schedules/${id}`]: () => json(noted),
  })
  expect((await runLine(['schedules'], api)).out).toContain('paused    For the board')
  expect((await runLine(['schedules', 'show', id], api)).out).toMatch(/^note +For the board$/m)
  await runLine(['schedules', 'change', id, '--note', 'For the board'], api)
  expect(api.last(`/schedules/${id}`)?.body).toEqual({ note: 'For the board' })
  await runLine(['schedules', 'change', id, '--note', '-'], api)
  expect(api.last(`/schedules/${id}`)?.body).toEqual({ note: null })
})

test('the history shows the result of every run', async () => {
  const error = { code: 'timeout', message: 'Too late', retryable: true } as const
  const items: ScheduleRun[] = [
    { ...run, nextTryAt: soon, error },
    { ...run, trigger: 'time', status: 'skipped', tries: 0, callId: undefined },
    { ...run, trigger: 'time', status: 'completed', missed: 3 },
  ]
  const path = `/schedules/${id}/runs`
  const api = createFakeApi({ [`GET ${path}`]: () => json({ items }) })
  const { out } = await runLine(['schedules', 'runs', id, '--limit', '3'], api)
  expect(api.last(path)?.query).toEqual({ limit: '3' })
  const rows = out.split('\n').map((line) => line.slice('2026-11-02 10:00  '.length))
  expect(rows).toEqual([
    `status     tries  call${' '.repeat(35)}remark`,
    `running        1  ${callId}  on request; timeout: Too late; tries again in 12 min`,
    `skipped        0  ${' '.repeat(37)}  the previous run had not finished`,
    `completed      1  ${callId}  catches up 3 missed before it`,
    '',
  ])
})
