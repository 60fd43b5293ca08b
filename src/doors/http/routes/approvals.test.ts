import { expect, test } from 'vitest'
import { openDoor } from '../testing/open-door.ts'

const one = '/api/v1/approvals/appr_1'
const statusAndCode = async (response: Response) => [
  response.status,
  ((await response.json()) as { code?: string }).code,
]

test('approvals are listed by status and read one by one', async () => {
  const { ask } = openDoor()
  const list = async (query: string) =>
    ((await (await ask('GET', `/api/v1/approvals${query}`)).json()) as { items: unknown[] }).items
  expect(await list('')).toEqual([await (await ask('GET', one)).json()])
  expect(await list('?status=approved')).toEqual([])
  expect((await ask('GET', '/api/v1/approvals?status=perhaps')).status).toBe(400)
  expect((await ask('GET', '/api/v1/approvals/appr_9')).status).toBe(404)
  const foreign = { headers: { authorization: 'Bearer crib_other' } }
  expect((await ask('GET', one, foreign)).status).toBe(404)
})

test('an approval is decided once; the second decision is 409', async () => {
  const { ask } = openDoor()
  const body = { decision: 'approve', input: { a: 1 }, remember: { for: '2h', match: { a: 1 } } }
  expect(await (await ask('POST', `${one}/decision`, { body })).json()).toMatchObject({
    status: 'approved',
  })
  expect(await statusAndCode(await ask('POST', `${one}/decision`, { body }))).toEqual([
    409,
    'already_decided',
  ])
})

test.each([
  {},
  { decision: 'perhaps' },
  { decision: 'approve', reason: 'x'.repeat(2001) },
  { decision: 'approve', remember: {} },
  { decision: 'approve', remember: { for: '2h', match: 'some-input' } },
  { decision: 'approve', remember: { for: '2h', tool: '*' } },
  { decision: 'approve', approved: true },
])('a decision that is none is refused: %j', async (body) => {
  expect(await statusAndCode(await openDoor().ask('POST', `${one}/decision`, { body }))).toEqual([
    400,
    'invalid_request',
  ])
})

test('several decisions are answered each for itself', async () => {
  const { ask } = openDoor()
  const decisions = ['appr_1', 'appr_9', 'appr_1'].map((id) => ({ id, decision: 'reject' }))
  const response = await ask('POST', '/api/v1/approvals/decisions', { body: { decisions } })
  const { items } = (await response.json()) as {
    items: { approval?: { status: string }; error?: { code: string } }[]
  }
  expect(items.map(({ approval, error }) => approval?.status ?? error?.code)).toEqual([
    'rejected',
    'not_found',
    'already_decided',
  ])
  const many = Array.from({ length: 101 }, () => ({ id: 'appr_1', decision: 'reject' }))
  for (const body of [{ decisions: [] }, { decisions: many }, {}]) {
    expect((await ask('POST', '/api/v1/approvals/decisions', { body })).status).toBe(400)
  }
})

test('rules are listed, and one that is not there can not be revoked', async () => {
  const { ask } = openDoor()
  expect(await (await ask('GET', '/api/v1/approval-rules')).json()).toEqual({ items: [] })
  expect((await ask('DELETE', '/api/v1/approval-rules/rule_1')).status).toBe(404)
})
