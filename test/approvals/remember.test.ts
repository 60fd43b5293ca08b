import { afterEach, expect, test } from 'vitest'
import { type Crib, defineTool, z } from '../../src/app/index.ts'
import type { Caller } from '../../src/core/kernel/call.ts'
import { isToolError } from '../../src/core/kernel/errors.ts'
import { createTestCrib } from '../../src/testing/index.ts'

const owner: Caller = {
  tenant: 'default',
  principal: { kind: 'user', id: 'owner' },
  permissions: ['*'],
  runtime: 'api',
}
const facts = {
  description: 'Writes.',
  approval: 'always',
  inputSchema: z.object({ path: z.string(), text: z.string().nullable() }),
  execute: () => 'done',
} as const
const write = defineTool({ ...facts, name: 'disk.write', effect: 'write' })
const later = defineTool({ ...facts, name: 'disk.later', effect: 'write', execution: 'background' })
const remove = defineTool({ ...facts, name: 'disk.remove', effect: 'destructive' })

const agent = { tools: { allow: ['disk.*'] } }
let crib: Crib
afterEach(() => crib.close())
async function open() {
  const config = {
    agents: [
      { slug: 'a', ...agent },
      { slug: 'b', ...agent },
    ],
  }
  crib = await createTestCrib({ tools: [write, later, remove], config })
}

type Remember = { for: string; match?: 'same-input' | 'any-input' | Record<string, string> }

/** Asks, and approves so that it is remembered; the error code where that is refused. */
async function teach(tool: string, remember: Remember, as: { agent?: string } = {}) {
  const { approvalId = '' } = await crib.call(tool, { path: '/tmp/a', text: null }, as)
  return crib.api.decideApproval(owner, { id: approvalId, decision: 'approve', remember }).then(
    ({ status }) => status,
    (error: unknown) => (isToolError(error) ? error.code : String(error)),
  )
}
const statusOf = async (tool: string, path: string, as: { agent?: string } = {}) =>
  (await crib.call(tool, { path, text: null }, { ...as, wait: 3 * Number(tool === 'disk.later') }))
    .status

test('a remembered yes lets like calls of the same agent through, and the record names the rule', async () => {
  await open()
  expect(await teach('disk.write', { for: '2h', match: { path: '/tmp/*' } }, { agent: 'a' })).toBe(
    'approved',
  )
  expect(await statusOf('disk.write', '/tmp/b', { agent: 'a' })).toBe('completed')
  expect(await statusOf('disk.write', '/etc/b', { agent: 'a' })).toBe('waiting')
  expect(await statusOf('disk.write', '/tmp/b', { agent: 'b' })).toBe('waiting')
  expect(await statusOf('disk.write', '/tmp/b')).toBe('waiting')
  const [rule] = (await crib.api.listApprovalRules(owner)).items
  const { items } = await crib.api.listCalls(owner, { status: 'completed', agent: 'a', limit: 1 })
  expect(items[0]?.decision).toEqual({
    verdict: 'allow',
    layer: 'remembered',
    rule: `${rule?.id}: approved by user:owner until ${rule?.expiresAt}`,
    reasons: [],
  })
})

test('a revoked rule holds no longer, and that is on record', async () => {
  await open()
  await teach('disk.write', { for: '2h' })
  expect(await statusOf('disk.write', '/tmp/a')).toBe('completed')
  const [rule] = (await crib.api.listApprovalRules(owner)).items
  await crib.api.revokeApprovalRule(owner, { id: rule?.id ?? '' })
  expect(await statusOf('disk.write', '/tmp/a')).toBe('waiting')
  const { items } = await crib.api.readEvents(owner, {
    types: ['approval.remembered', 'approval.rule_revoked'],
    limit: 10,
  })
  expect(items.map(({ type }) => type)).toEqual(['approval.remembered', 'approval.rule_revoked'])
  await expect(crib.api.revokeApprovalRule(owner, { id: rule?.id ?? '' })).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('a remembered yes also holds for calls that run after their answer', async () => {
  await open()
  await teach('disk.later', { for: '2h', match: 'any-input' })
  expect(await statusOf('disk.later', '/x')).toBe('completed')
})

test.each([
  ['disk.remove', { for: '2h', match: 'any-input' }, 'invalid_request'],
  ['disk.remove', { for: '2h', match: {} }, 'invalid_request'],
  ['disk.remove', { for: '2h', match: { path: '**' } }, 'invalid_request'],
  ['disk.remove', { for: '2h', match: { path: '/tmp/*' } }, 'approved'],
  ['disk.remove', { for: '2h' }, 'approved'],
  ['disk.write', { for: '31d' }, 'invalid_request'],
  ['disk.write', { for: '0s' }, 'invalid_request'],
  ['disk.write', { for: 'ever' }, 'invalid_request'],
  ['disk.write', { for: '1h', match: { path: '/etc/*' } }, 'invalid_request'],
  ['disk.write', { for: '1h', match: 'any-input' }, 'approved'],
] as [string, Remember, string][])('%s remembered %j is %s', async (tool, remember, outcome) => {
  await open()
  expect(await teach(tool, remember)).toBe(outcome)
})
