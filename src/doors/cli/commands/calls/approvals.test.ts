import { expect, test } from 'vitest'
import type { Approval } from '../../../../core/approvals/approval.ts'
import {
  callId,
  callStream,
  createFakeApi,
  json,
  problem,
  sse,
  frame,
  toolOf,
} from '../../testing/fake-api.ts'
import { runLine } from '../../testing/run-line.ts'

const id = `appr_${'0199'.padEnd(31, '0')}1`
const other = `appr_${'0199'.padEnd(31, '0')}2`

function approvalOf(more: Partial<Approval> = {}): Approval {
  return {
    id,
    tenant: 'default',
    callId,
    tool: 'billing.refund',
    input: { invoice: 'in_1' },
    revision: 0,
    reasons: ['billing.refund always needs approval'],
    requestedBy: { principal: { kind: 'user', id: 'owner' }, agent: 'support' },
    status: 'pending',
    createdAt: '2026-11-01T00:00:00.000Z',
    expiresAt: new Date(Date.now() + 30 * 60_000).toISOString(),
    needed: 1,
    isRequesterBarred: false,
    decisions: [],
    ...more,
  }
}

const url = { env: { TOOLCRIB_KEY: 'crib_x' } }
const atServer = ['--url', 'http://server']

test('pending approvals are listed with the requester and the time left', async () => {
  const api = createFakeApi({ 'GET /approvals': () => json({ items: [approvalOf()] }) })
  const { code, out } = await runLine(['approvals'], { ...api, columns: 200 })
  expect([code, out.split('\n')]).toEqual([
    0,
    [
      'id                                     tool            input               asked by  left',
      `${id}  billing.refund  {"invoice":"in_1"}  support   30m`,
      '',
    ],
  ])
  expect(api.last('/approvals')?.query).toEqual({ status: 'pending', limit: '50' })
  await runLine(['approvals', '--status', 'all', '--tool', 'a.b'], api)
  expect(api.last('/approvals')?.query).toEqual({ tool: 'a.b', limit: '50' })
})

test('one is shown with why it is asked and how to decide', async () => {
  const api = createFakeApi({
    'GET /approvals': () => json({ items: [approvalOf(), approvalOf({ id: other })] }),
    [`GET /approvals/${other}`]: () =>
      json(approvalOf({ id: other, needed: 2, approvers: ['user:anna'] })),
  })
  const { out, err } = await runLine(['approvals', 'show', other.slice(-6)], api)
  expect(out).toContain(
    'because billing.refund always needs approval\nneeds 2 people\nonly user:anna may decide',
  )
  expect(err).toBe(`→ toolcrib approve ${other}\n→ toolcrib reject ${other} --reason …\n`)
  expect((await runLine(['approvals', 'show', 'appr_0199'], api)).code).toBe(2)
  expect((await runLine(['approvals', 'show', 'appr_7'], api)).code).toBe(4)
})

test.each(['', '…', 'a', 'appr_', 'appr_019', '001'])(
  'nothing is decided on for %j, also when one approval alone waits',
  async (given) => {
    const api = createFakeApi({
      'GET /approvals': () => json({ items: [approvalOf()] }),
      [`POST /approvals/${id}/decision`]: () => json(approvalOf({ status: 'approved' })),
    })
    const { code, err } = await runLine(['approve', given], api)
    expect([code, err]).toEqual([2, expect.stringContaining('too short')])
    expect(api.last(`/approvals/${id}/decision`)).toBeUndefined()
  },
)

test('an approval sends the input, the reason and the rule to remember', async () => {
  const approved = approvalOf({ status: 'approved' })
  const api = createFakeApi({ [`POST /approvals/${id}/decision`]: () => json(approved) })
  const argv = [...atServer, 'approve', id, '--input', '{"invoice":"in_2"}', '--reason', 'ok']
  const line = await runLine([...argv, '--remember', '2h', '--match', '{"invoice":"in_*"}'], {
    ...url,
    more: { fetch: api.fetch },
  })
  expect(line).toEqual({
    code: 0,
    out: '',
    err: `✓ billing.refund is approved\n→ toolcrib call --watch ${callId} follows it to its end.\n`,
  })
  expect(api.last(`/approvals/${id}/decision`)?.body).toEqual({
    decision: 'approve',
    input: { invoice: 'in_2' },
    reason: 'ok',
    remember: { for: '2h', match: { invoice: 'in_*' } },
  })
})

test('without a server, approve waits until the call has run', async () => {
  const call = { callId, tool: 'billing.refund', status: 'completed', output: { refunded: 5 } }
  const api = createFakeApi({
    [`POST /approvals/${id}/decision`]: () => json(approvalOf({ status: 'approved' })),
    [`GET /calls/${callId}`]: () => json(call),
  })
  const { code, out } = await runLine(['approve', id], api)
  expect([code, out]).toEqual([0, 'Refunded  5\n'])
})

test('several are decided in one request, and each is answered', async () => {
  const items = [
    { id, approval: approvalOf({ status: 'rejected' }) },
    { id: other, error: { code: 'already_decided', message: 'It has expired' } },
  ]
  const api = createFakeApi({ 'POST /approvals/decisions': () => json({ items }) })
  const { code, err } = await runLine(['reject', id, other, '--reason', 'no'], api)
  expect([code, err.split('\n').slice(0, 2)]).toEqual([
    1,
    ['✓ billing.refund is rejected', `✗ ${other}: It has expired`],
  ])
  expect(api.last('/approvals/decisions')?.body).toEqual({
    decisions: [id, other].map((one) => ({ id: one, decision: 'reject', reason: 'no' })),
  })
  expect((await runLine(['approve', id, other, '--input', '{}'], api)).code).toBe(2)
})

test('a decision that came too late has its own exit code', async () => {
  const late = () => problem({ status: 409, code: 'already_decided', detail: 'It was approved' })
  const api = createFakeApi({ [`POST /approvals/${id}/decision`]: late })
  expect(await runLine(['approve', id], api)).toMatchObject({ code: 1, out: '' })
})

test('rules are listed and revoked', async () => {
  const rule = {
    id: 'rule_1',
    tool: 'file.write',
    agent: 'support',
    input: { kind: 'pattern', pattern: { path: '/tmp/*' } },
    createdBy: { kind: 'user', id: 'anna' },
    expiresAt: new Date(Date.now() + 7_200_000).toISOString(),
  }
  const api = createFakeApi({
    'GET /approval-rules': () => json({ items: [rule] }),
    'DELETE /approval-rules/rule_1': () => new Response(null, { status: 204 }),
  })
  expect((await runLine(['approvals', 'rules'], { ...api, columns: 200 })).out.split('\n')[1]).toBe(
    'rule_1  file.write  support  {"path":"/tmp/*"}  user:anna  2h',
  )
  expect((await runLine(['approvals', 'revoke', 'rule_1'], api)).out).toBe('✓ Revoked rule_1\n')
})

test('a call that needs approval shows how to approve it, and exits', async () => {
  const waiting = { callId, status: 'waiting', waitingFor: 'approval', approvalId: id } as const
  const api = createFakeApi({
    'GET /tools/calc.add': () => json(toolOf()),
    'POST /tools/calc.add/calls': () =>
      sse([frame('call', { callId }), frame('waiting', waiting)], new Promise(() => undefined)),
  })
  expect(await runLine(['call', 'calc.add', '--a', '1'], api)).toEqual({
    code: 0,
    out: '',
    err: [
      `${callId} waits for approval.`,
      `→ toolcrib approve ${id}`,
      `→ toolcrib reject ${id} --reason …`,
      `→ toolcrib call --watch ${callId} follows it to its end.`,
      '',
    ].join('\n'),
  })
  const done = createFakeApi({
    'GET /tools/calc.add': () => json(toolOf()),
    'POST /tools/calc.add/calls': () => callStream({ callId, status: 'completed', output: 3 }),
  })
  expect((await runLine(['call', 'calc.add', '--a', '1'], done)).out).toBe('3\n')
})
