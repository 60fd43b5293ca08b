import { expect, test } from 'vitest'
import { callId, createFakeApi, json, problem } from '../../testing/fake-api.ts'
import { runLine } from '../../testing/run-line.ts'

const call = {
  callId,
  tool: 'billing.refund',
  status: 'waiting',
  waitingFor: 'approval',
  principal: { kind: 'user', id: 'owner' },
  requestedAt: '2026-11-01T12:00:00.000Z',
}

test('calls are listed with what they wait for, or why they failed', async () => {
  const failed = { ...call, agent: 'support', status: 'failed', waitingFor: undefined }
  const items = [call, { ...failed, error: { code: 'timeout', message: 'x', retryable: true } }]
  const api = createFakeApi({ 'GET /calls': () => json({ items, next: 'more' }) })
  const { code, out, err } = await runLine(['calls', '--tool', 'billing.refund'], {
    ...api,
    columns: 200,
  })
  expect(code).toBe(0)
  expect(out).toMatch(/billing\.refund {2}waiting for approval {2}user:owner {2}2026-11-01 /)
  expect(out).toMatch(/billing\.refund {2}failed timeout {8}support {5}2026-11-01 /)
  expect(err).toContain('--limit 500')
  expect(api.last('/calls')?.query).toEqual({ tool: 'billing.refund', limit: '30' })
})

test('an empty list is reported, and JSON is the page as it is', async () => {
  const api = createFakeApi({ 'GET /calls': () => json({ items: [] }) })
  expect((await runLine(['calls', '--status', 'queued'], api)).out).toBe('No calls match.\n')
  expect(JSON.parse((await runLine(['calls', '--json'], api)).out)).toEqual({ items: [] })
})

test('a call is cancelled by its id; without one, or too late, a fix is shown', async () => {
  const api = createFakeApi({
    [`POST /calls/${callId}/cancel`]: () => json({ ...call, status: 'cancelled' }),
    'POST /calls/call_done/cancel': () =>
      problem({ status: 409, code: 'already_settled', detail: 'over' }),
  })
  expect((await runLine(['calls', 'cancel', callId], api)).out).toBe(`✓ ${callId} is cancelled\n`)
  expect((await runLine(['calls', 'cancel', 'call_done'], api)).code).toBe(1)
  expect(await runLine(['calls', 'cancel'], api)).toMatchObject({ code: 2 })
})

test('one call is shown with its decision, its input and output, and what happened', async () => {
  const settled = {
    ...call,
    waitingFor: undefined,
    status: 'completed',
    input: { invoice: 'in_1' },
    output: { refunded: 12 },
    decision: { verdict: 'allow', layer: 'policy', rule: 'allowed by support', reasons: [] },
  }
  const event = {
    ...call,
    id: 'e1',
    seq: 1,
    at: call.requestedAt,
    type: 'call.completed',
    data: null,
  }
  const api = createFakeApi({
    [`GET /calls/${callId}`]: () => json(settled),
    'GET /events': () => json({ items: [event] }),
  })
  const { code, out } = await runLine(['calls', 'show', callId], api)
  expect(code).toBe(0)
  for (const part of ['in_1', '12', 'allow by policy: allowed by support', 'call.completed']) {
    expect(out).toContain(part)
  }
  expect(api.last('/events')?.query).toMatchObject({ callId })
  const shown = await runLine(['calls', 'show', callId, '--json'], api)
  expect(JSON.parse(shown.out)).toMatchObject({ callId, events: [{ type: 'call.completed' }] })
  expect(await runLine(['calls', 'show'], api)).toMatchObject({ code: 2 })
})
