import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Crib, defineTool, ToolError, z } from '../../src/app/index.ts'
import { ownerOf } from '../../src/app/owner.ts'
import { isToolError } from '../../src/core/kernel/errors.ts'
import { createTestCrib } from '../../src/testing/index.ts'

const owner = ownerOf()
/** Invoices by customer: the targets of the tool. */
const invoices = new Map<string, string[]>()
const cancelled: string[][] = []
let previewed = 0
let beforePreview: (turn: number) => Promise<void> | void = () => undefined

const cancelAll = defineTool({
  name: 'billing.cancel-all',
  description: 'Cancels all invoices of a customer.',
  effect: 'destructive',
  approval: 'always',
  secrets: [{ key: 'billing_key', optional: true }],
  inputSchema: z.object({ customer: z.string() }),
  async preview({ customer }) {
    previewed += 1
    await beforePreview(previewed)
    const found = invoices.get(customer) ?? []
    return {
      summary: `Cancels ${found.length} invoices.`,
      changes: found.map((target) => ({ target, before: 'open', after: 'cancelled' })),
    }
  },
  execute({ customer }) {
    const found = invoices.get(customer) ?? []
    cancelled.push(found)
    return { cancelled: found.length }
  },
})
const noted = defineTool({
  name: 'billing.note',
  description: 'Notes something, with a preview that does not bind.',
  effect: 'write',
  approval: 'always',
  inputSchema: z.object({ text: z.string() }),
  preview: ({ text }) => ({
    summary: 'Notes it.',
    changes: [{ target: `${text} ${previewed++}` }],
  }),
  execute: ({ text }) => text,
})

let crib: Crib
beforeEach(() => {
  invoices.clear()
  invoices.set('ada', ['in_1', 'in_2'])
  invoices.set('bob', ['in_9'])
  cancelled.length = 0
  previewed = 0
  beforePreview = () => undefined
})
beforeAll(async () => {
  crib = await createTestCrib({ tools: [cancelAll, noted], secrets: { billing_key: 'shh-secret' } })
})
afterAll(() => crib.close())

async function ask(customer = 'ada') {
  const { callId = '', approvalId = '' } = await crib.call('billing.cancel-all', { customer })
  return { callId, approvalId, approval: await crib.approvals.get({ approvalId }) }
}
const settled = (callId: string) => crib.api.findCall(owner, { id: callId, wait: 20 })
const approve = (id: string, more: object = {}) =>
  crib.api.decideApproval(owner, { id, decision: 'approve', ...more })
const pendingAgain = async (approvalId: string, times = 1) => {
  const read = async () => {
    const { status, preview } = await crib.approvals.get({ approvalId })
    return [status, preview?.timesChanged]
  }
  await expect.poll(read, { timeout: 20_000 }).toEqual(['pending', times])
  return crib.approvals.get({ approvalId })
}
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (isToolError(error) ? error.code : String(error)),
  )

test('an approval shows what the call would do, and the call runs while that is the same', async () => {
  const { callId, approvalId, approval } = await ask()
  const made = approval.preview?.callId ?? ''
  expect(approval.preview).toMatchObject({
    state: 'made',
    binds: true,
    summary: 'Cancels 2 invoices.',
    changes: [
      { target: 'in_1', before: 'open', after: 'cancelled' },
      { target: 'in_2', before: 'open', after: 'cancelled' },
    ],
  })
  expect(await crib.calls.get(made)).toMatchObject({ purpose: 'preview', parentId: callId })
  // Another order is the same plan.
  invoices.set('ada', ['in_2', 'in_1'])
  await approve(approvalId, { revision: 0 })
  expect(await settled(callId)).toMatchObject({ status: 'completed', output: { cancelled: 2 } })
  expect([previewed, cancelled.length]).toEqual([2, 1])
})

test('where the targets have changed, the call waits again, and runs once they are approved', async () => {
  const { callId, approvalId } = await ask()
  invoices.get('ada')?.push('in_3')
  await approve(approvalId)
  const approval = await pendingAgain(approvalId)
  expect(cancelled).toEqual([])
  expect(approval).toMatchObject({
    revision: 1,
    decisions: [{ revision: 0 }],
    preview: {
      summary: 'Cancels 3 invoices.',
      timesChanged: 1,
      previous: { summary: 'Cancels 2 invoices.' },
    },
  })
  expect(await crib.calls.get(callId)).toMatchObject({ status: 'waiting', waitingFor: 'approval' })
  expect(await codeOf(approve(approvalId, { revision: 0 }))).toBe('preview_changed')
  await approve(approvalId, { revision: 1 })
  expect(await settled(callId)).toMatchObject({ status: 'completed', output: { cancelled: 3 } })
  expect(cancelled).toEqual([['in_1', 'in_2', 'in_3']])
  const { items } = await crib.api.readEvents(owner, { callId, limit: 50 })
  expect(items.map(({ type }) => type)).toEqual([
    'call.requested',
    'approval.requested',
    'call.waiting',
    'approval.granted',
    'call.queued',
    'approval.reopened',
    'call.waiting',
    'approval.granted',
    'call.queued',
    'call.started',
    'call.completed',
  ])
})

test('a call that waits again can be rejected', async () => {
  const { callId, approvalId } = await ask()
  invoices.set('ada', [])
  await approve(approvalId)
  await pendingAgain(approvalId)
  await crib.approvals.reject({ approvalId }, { reason: 'not these' })
  expect(await settled(callId)).toMatchObject({
    status: 'denied',
    error: { code: 'approval_rejected' },
  })
  expect(cancelled).toEqual([])
})

test('a preview that is different every time ends the call instead of asking for ever', async () => {
  const { callId, approvalId } = await ask()
  beforePreview = (turn) => void invoices.set('ada', [`in_${turn}`])
  for (let times = 1; times <= 5; times += 1) {
    await approve(approvalId)
    await pendingAgain(approvalId, times)
  }
  await approve(approvalId)
  expect(await settled(callId)).toMatchObject({
    status: 'failed',
    error: { code: 'preview_changed' },
  })
  expect(cancelled).toEqual([])
})

test('a preview that throws is shown as unavailable, and binds nothing', async () => {
  beforePreview = () => {
    throw new ToolError('upstream_failed', 'billing is away: shh-secret')
  }
  const { callId, approvalId, approval } = await ask()
  expect(approval.preview).toMatchObject({
    state: 'unavailable',
    error: { code: 'upstream_failed' },
  })
  expect(JSON.stringify(approval)).not.toContain('shh-secret')
  await approve(approvalId)
  expect(await settled(callId)).toMatchObject({ status: 'completed' })
})

test('a preview that no longer works makes the call wait again: nobody approved what it does now', async () => {
  const { callId, approvalId } = await ask()
  beforePreview = () => Promise.reject(new Error('away'))
  await approve(approvalId)
  expect((await pendingAgain(approvalId)).preview).toMatchObject({ state: 'unavailable' })
  await approve(approvalId)
  expect(await settled(callId)).toMatchObject({ status: 'completed' })
})

test('an edited input gets its own preview, which binds', async () => {
  const { callId, approvalId } = await ask()
  await approve(approvalId, { input: { customer: 'bob' } })
  expect(await settled(callId)).toMatchObject({ status: 'completed', output: { cancelled: 1 } })
  expect((await crib.approvals.get({ approvalId })).preview).toMatchObject({
    summary: 'Cancels 1 invoices.',
  })
})

test('a preview that does not bind is shown only', async () => {
  const { callId = '', approvalId = '' } = await crib.call('billing.note', { text: 'hello' })
  expect((await crib.approvals.get({ approvalId })).preview).toMatchObject({ binds: false })
  await approve(approvalId)
  expect(await settled(callId)).toMatchObject({ status: 'completed', output: 'hello' })
})

test('a call that waits again can be cancelled, which closes its approval', async () => {
  const { callId, approvalId } = await ask()
  invoices.set('ada', [])
  await approve(approvalId)
  await pendingAgain(approvalId)
  await crib.calls.cancel(callId)
  expect((await crib.approvals.get({ approvalId })).status).toBe('cancelled')
})
