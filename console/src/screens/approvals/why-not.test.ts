import { expect, test } from 'vitest'
import { saidYes, whyNot } from './why-not.ts'

const anna = { kind: 'user', id: 'anna' } as const
const ben = { kind: 'user', id: 'ben' } as const
const asked = {
  requestedBy: { principal: anna, agent: 'support' },
  isRequesterBarred: false,
  decisions: [],
  revision: 0,
  needed: 1,
}
const yes = (by: typeof anna | typeof ben, revision: number) => ({
  by,
  decision: 'approve' as const,
  at: '2026-01-01T00:00:00Z',
  isEdited: false,
  revision,
})
const may = { principal: anna, holds: (permission: string) => permission === 'approvals.decide' }

test('who holds the permission may decide, an agent and whoever lacks it may not', () => {
  expect(whyNot(asked, may)).toBeUndefined()
  expect(whyNot(asked, { ...may, holds: () => false })).toContain('approvals.decide')
  expect(whyNot(asked, { ...may, agent: 'support' })).toContain('Agents')
})

test('the one who asked may be barred, and approvers may be named', () => {
  const barred = { ...asked, isRequesterBarred: true }
  expect(whyNot(barred, may)).toContain('someone else')
  expect(whyNot(barred, { ...may, principal: ben })).toBeUndefined()
  const named = { ...asked, approvers: ['user:ben', 'permission:billing.approve'] }
  expect(whyNot(named, may)).toBe('Only user:ben, permission:billing.approve can decide.')
  expect(whyNot(named, { ...may, principal: ben })).toBeUndefined()
  const holder = { ...may, holds: () => true }
  expect(whyNot(named, holder)).toBeUndefined()
})

test('one yes a person counts, and only to the input as it is now', () => {
  const two = { ...asked, needed: 2, revision: 1, decisions: [yes(anna, 0), yes(ben, 1)] }
  expect(saidYes(two)).toEqual([ben])
  expect(whyNot(two, may)).toBeUndefined()
  expect(whyNot(two, { ...may, principal: ben })).toBe(
    'You approved this. 1 more approval is needed.',
  )
})
