import { expect, test } from 'vitest'
import { type ApprovalSettings, checkApprovalSettings, findTerms } from './approval-terms.ts'

const settings: ApprovalSettings = {
  expiresIn: '24h',
  allowSelf: true,
  rules: [
    { tools: ['billing.refund'], agents: ['support'], quorum: 2, approvers: ['user:a', 'user:b'] },
    { tools: ['group:money'], requester: 'barred', expiresIn: '2h' },
  ],
}
const groups = { money: ['billing.*'] }
const termsOf = (name: string, agent?: string, given = settings) =>
  findTerms(given, { tool: { name, pack: 'p' }, agent }, groups)

test('the first rule that matches a call decides, and otherwise the defaults do', () => {
  expect(termsOf('billing.refund', 'support')).toEqual({
    needed: 2,
    approvers: ['user:a', 'user:b'],
    isRequesterBarred: false,
    expiresInMs: 86_400_000,
  })
  const barred = { needed: 1, isRequesterBarred: true, expiresInMs: 7_200_000 }
  expect(termsOf('billing.refund', 'other')).toEqual(barred)
  expect(termsOf('billing.find')).toEqual(barred)
  const usual = { needed: 1, isRequesterBarred: false, expiresInMs: 86_400_000 }
  expect(termsOf('file.read')).toEqual(usual)
  expect(termsOf('file.read', undefined, { ...settings, allowSelf: false })).toEqual({
    ...usual,
    isRequesterBarred: true,
  })
})

test.each<[ApprovalSettings['rules'][number], string]>([
  [{ tools: ['group:nope'] }, 'nope'],
  [{ tools: ['a b'] }, 'Malformed'],
  [{ tools: ['*'], agents: ['ghost'] }, 'ghost'],
  [{ tools: ['*'], quorum: 2, approvers: ['user:a', 'user:a'] }, 'requires 2 people but names 1'],
])('a rule that could never be met is refused at startup: %j', (rule, reason) => {
  const check = () =>
    checkApprovalSettings({ ...settings, rules: [rule] }, { groups, agents: new Set(['support']) })
  expect(check).toThrow(reason)
})

test('people who are named by a permission are not counted', () => {
  const rules = [{ tools: ['*'], quorum: 2, approvers: ['permission:billing.approve'] }]
  expect(() =>
    checkApprovalSettings({ ...settings, rules }, { groups, agents: new Set() }),
  ).not.toThrow()
})
