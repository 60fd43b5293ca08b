import { expect, test } from 'vitest'
import { openDoor } from '../testing/open-door.ts'

const body = { name: 'digest', tool: 'text.echo', when: { cron: '0 9 * * 1-5' } }
const made = {
  id: 'sch_1',
  tenant: 'default',
  name: 'digest',
  tool: 'text.echo',
  input: {},
  when: { cron: '0 9 * * 1-5', timezone: 'UTC' },
  overlap: 'skip',
  retries: 3,
  state: 'active',
  failures: 0,
  createdBy: { kind: 'key', id: 'owner' },
  runsFor: { kind: 'key', id: 'owner' },
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
}

test('a schedule is made, read, listed, paused, run and deleted', async () => {
  const { ask } = openDoor()
  const answer = async (method: string, path: string, sent?: unknown) => {
    const response = await ask(method, `/api/v1/schedules${path}`, { body: sent })
    return [response.status, response.status === 204 ? null : await response.json()]
  }
  expect(await answer('POST', '', body)).toEqual([201, made])
  expect(await answer('GET', '/sch_1')).toEqual([200, made])
  expect(await answer('GET', '')).toEqual([200, { items: [made] }])
  expect(await answer('PATCH', '/sch_1', { paused: true, name: 'later' })).toEqual([
    200,
    { ...made, name: 'later', state: 'paused' },
  ])
  const run = {
    runId: 'srun_1',
    scheduleId: 'sch_1',
    trigger: 'now',
    status: 'running',
    dueAt: '2026-01-01T00:00:00.000Z',
    firedAt: '2026-01-01T00:00:00.000Z',
    tries: 1,
    callId: 'call_1',
  }
  expect(await answer('POST', '/sch_1/run')).toEqual([202, run])
  expect(await answer('GET', '/sch_1/runs?limit=5')).toEqual([200, { items: [run] }])
  expect(await answer('DELETE', '/sch_1')).toEqual([204, null])
  expect((await answer('GET', '/sch_1'))[0]).toBe(404)
})

test.each([
  ['nothing', undefined],
  ['no time', { name: 'a', tool: 'b' }],
  ['a field that is not there', { ...body, cron: '* * * * *' }],
  ['a word for a number', { ...body, retries: 'three' }],
  ['more retries than there are', { ...body, retries: 11 }],
  ['an overlap of its own', { ...body, overlap: 'maybe' }],
  ['a time that is a list', { ...body, when: ['0 9 * * *'] }],
  ['cron nonsense', { ...body, when: { cron: 'whenever you like' } }],
])('a schedule with %s is refused with 400', async (_what, sent) => {
  const response = await openDoor().ask('POST', '/api/v1/schedules', { body: sent })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ code: 'invalid_request' })
})

test('a schedule of another tenant and one that never was look the same, whatever is asked', async () => {
  const { ask } = openDoor()
  await ask('POST', '/api/v1/schedules', { body })
  const headers = { authorization: 'Bearer crib_other' }
  for (const [method, path, sent] of [
    ['GET', 'ID', undefined],
    ['PATCH', 'ID', { paused: true }],
    ['DELETE', 'ID', undefined],
    ['POST', 'ID/run', undefined],
    ['GET', 'ID/runs', undefined],
  ] as const) {
    const answers = await Promise.all(
      ['sch_1', 'sch_9'].map(async (id) => {
        const address = `/api/v1/schedules/${path.replace('ID', id)}`
        const response = await ask(method, address, { headers, body: sent })
        return [response.status, (await response.text()).replaceAll(/sch_\d|req_\w+/g, '')]
      }),
    )
    expect(answers[0]?.[0]).toBe(404)
    expect(answers[0]).toEqual(answers[1])
  }
})
