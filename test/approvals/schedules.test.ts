import { afterEach, expect, test } from 'vitest'
import { type Crib, defineTool, z } from '../../src/app/index.ts'
import type { Caller } from '../../src/core/kernel/call.ts'
import { isToolError } from '../../src/core/kernel/errors.ts'
import { createTestCrib } from '../../src/testing/index.ts'

const anna: Caller = {
  tenant: 'default',
  principal: { kind: 'user', id: 'anna' },
  permissions: ['*'],
  runtime: 'api',
}
const ben: Caller = { ...anna, principal: { kind: 'user', id: 'ben' } }

const refund = defineTool({
  name: 'billing.refund',
  description: 'Refunds an invoice.',
  effect: 'write',
  approval: 'always',
  inputSchema: z.object({ invoice: z.string() }),
  execute: ({ invoice }) => ({ refunded: invoice }),
})

let crib: Crib
afterEach(() => crib.close())

async function open(allowSelf: boolean): Promise<void> {
  const config = { approvals: { allowSelf } }
  crib = await createTestCrib({ tools: [refund], config })
}

async function schedule(by: Caller): Promise<string> {
  const input = { invoice: 'in_1' }
  const when = { at: '+1h' }
  const { id } = await crib.api.createSchedule(by, {
    name: 'n',
    tool: 'billing.refund',
    input,
    when,
  })
  return id
}

/** Runs the schedule now, and gives the approval its call waits for. */
async function runNow(by: Caller, id: string): Promise<string> {
  const { callId = '' } = await crib.api.runSchedule(by, { id })
  const { approvalId = '' } = await crib.api.findCall(by, { id: callId })
  return approvalId
}

const decide = (by: Caller, id: string) =>
  crib.api.decideApproval(by, { id, decision: 'approve' }).then(
    ({ status }) => status,
    (error: unknown) => (isToolError(error) ? error.code : String(error)),
  )

test('people who may not approve their own calls may not approve those of their schedules', async () => {
  await open(false)
  const id = await schedule(anna)
  const approvalId = await runNow(ben, id)
  expect(await decide(anna, approvalId)).toBe('forbidden')
  expect(await decide(ben, approvalId)).toBe('approved')
})

test('the last person to change a schedule is the requester of its calls', async () => {
  await open(false)
  const id = await schedule(anna)
  await crib.api.updateSchedule(ben, { id, input: { invoice: 'in_2' } })
  const approvalId = await runNow(anna, id)
  expect(await decide(ben, approvalId)).toBe('forbidden')
  expect(await decide(anna, approvalId)).toBe('approved')
})

test('a remembered yes to a schedule ends when somebody else says what it does', async () => {
  await open(true)
  const id = await schedule(anna)
  const remember = { for: '1h', match: 'any-input' } as const
  await crib.api.decideApproval(ben, { id: await runNow(anna, id), decision: 'approve', remember })
  await crib.api.updateSchedule(anna, { id, input: { invoice: 'in_2' } })
  expect(await runNow(anna, id)).toBe('')
  await crib.api.updateSchedule(ben, { id, input: { invoice: 'in_3' } })
  expect(await runNow(anna, id)).not.toBe('')
})
