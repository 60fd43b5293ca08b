import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Crib, defineTool, z } from '../../app/index.ts'
import { ownerOf } from '../../app/owner.ts'
import { createTestCrib } from '../../testing/index.ts'

const refund = defineTool({
  name: 'billing.refund',
  description: 'Refunds an invoice.',
  effect: 'write',
  approval: 'always',
  inputSchema: z.object({ a: z.int() }),
  execute: (input) => input,
})

let crib: Crib
const tokens = { owner: '', caller: '' }
beforeAll(async () => {
  crib = await createTestCrib({ tools: [refund] })
  const tokenFor = async (scopes: string[]) =>
    (await crib.api.createKey(ownerOf(), { name: 'k', scopes })).token
  tokens.owner = await tokenFor(['*'])
  tokens.caller = await tokenFor(['tools.call'])
})
afterAll(() => crib.close())

async function ask(route: string, body?: unknown, token = tokens.owner) {
  const [method = '', path = ''] = route.split(' ')
  const response = await crib.fetch(
    new Request(`http://localhost/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  )
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : JSON.parse(text) }
}

async function askForApproval(): Promise<string> {
  const { approvalId = '' } = await crib.call('billing.refund', { a: 2 })
  return approvalId
}

test('approvals are listed by status and read one by one', async () => {
  const id = await askForApproval()
  const one = await ask(`GET /approvals/${id}`)
  expect(one).toMatchObject({ status: 200, body: { id, status: 'pending', input: { a: 2 } } })
  const list = async (query: string) => (await ask(`GET /approvals${query}`)).body.items
  expect(await list('')).toEqual([one.body])
  expect(await list('?status=approved')).toEqual([])
  expect((await ask('GET /approvals?status=perhaps')).status).toBe(400)
  expect((await ask('GET /approvals/appr_9')).status).toBe(404)
})

test('without approvals.decide a caller sees and decides nothing of others', async () => {
  const id = await askForApproval()
  const asCaller = (route: string, body?: object) => ask(route, body, tokens.caller)
  expect(await asCaller(`GET /approvals/${id}`)).toMatchObject({ status: 404 })
  expect((await asCaller('GET /approvals')).body.items).toEqual([])
  const decision = { decision: 'approve' }
  expect((await asCaller(`POST /approvals/${id}/decision`, decision)).status).toBe(404)
  const decisions = [{ id, ...decision }]
  expect((await asCaller('POST /approvals/decisions', { decisions })).status).toBe(403)
})

test('an approval is decided once; the second decision is 409', async () => {
  const route = `POST /approvals/${await askForApproval()}/decision`
  const body = { decision: 'approve', input: { a: 1 }, remember: { for: '2h', match: { a: 1 } } }
  expect(await ask(route, body)).toMatchObject({ status: 200, body: { status: 'approved' } })
  expect(await ask(route, body)).toMatchObject({ status: 409, body: { code: 'already_decided' } })
})

const malformed = [
  {},
  { decision: 'perhaps' },
  { decision: 'approve', reason: 'x'.repeat(2001) },
  { decision: 'approve', reason: 'a\0b' },
  { decision: 'approve', reason: 'half a pair \ud800' },
  { decision: 'approve', revision: -1 },
  { decision: 'approve', remember: {} },
  { decision: 'approve', remember: { for: '2h', match: 'some-input' } },
  { decision: 'approve', remember: { for: '2h', tool: '*' } },
  { decision: 'approve', approved: true },
]

test('a malformed decision is refused, and the approval stays pending', async () => {
  const id = await askForApproval()
  for (const body of malformed) {
    expect(await ask(`POST /approvals/${id}/decision`, body)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    })
  }
  expect((await ask(`GET /approvals/${id}`)).body).toMatchObject({ status: 'pending' })
})

test('several decisions get an answer each', async () => {
  const id = await askForApproval()
  const decisions = [id, 'appr_9', id].map((one) => ({ id: one, decision: 'reject' }))
  const { body } = await ask('POST /approvals/decisions', { decisions })
  const items: { approval?: { status: string }; error?: { code: string } }[] = body.items
  expect(items.map(({ approval, error }) => approval?.status ?? error?.code)).toEqual([
    'rejected',
    'not_found',
    'already_decided',
  ])
  const many = Array.from({ length: 101 }, () => ({ id, decision: 'reject' }))
  for (const refused of [{ decisions: [] }, { decisions: many }, {}]) {
    expect((await ask('POST /approvals/decisions', refused)).status).toBe(400)
  }
})

test('rules are listed by tool and revoked once', async () => {
  const remember = { for: '2h', match: { a: 7 } }
  const route = `POST /approvals/${await askForApproval()}/decision`
  await ask(route, { decision: 'approve', input: { a: 7 }, remember })
  const list = async (tool: string) => (await ask(`GET /approval-rules?tool=${tool}`)).body.items
  expect(await list('billing.none')).toEqual([])
  const [rule] = await list('billing.refund')
  expect(rule).toMatchObject({ tool: 'billing.refund', input: { pattern: { a: 7 } } })
  expect((await ask(`DELETE /approval-rules/${rule.id}`)).status).toBe(204)
  expect(await list('billing.refund')).not.toContainEqual(rule)
  expect((await ask(`DELETE /approval-rules/${rule.id}`)).status).toBe(404)
})
