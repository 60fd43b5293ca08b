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

test('a person with the permission can decide, an agent and a person without it can’t', () => {
  expect(whyNot(asked, may)).toBeUndefined()
  expect(whyNot(asked, { ...may, holds: () => false })).toContain('approvals.decide')
  expect(whyNot(asked, { ...may, agent: 'support' })).toContain('Agents')
})

test('the requester can be excluded, and approvers can be named', () => {
  const barred = { ...asked, isRequesterBarred: true }
  expect(whyNot(barred, may)).toContain('someone else')
  expect(whyNot(barred, { ...may, principal: ben })).toBeUndefined()
  const named = { ...asked, approvers: ['user:ben', 'permission:billing.approve'] }
  expect(whyNot(named, may)).toBe('Only user:ben, permission:billing.approve can decide.')
  expect(whyNot(named, { ...may, principal: ben })).toBeUndefined()
  const holder = { ...may, holds: () => true }
  expect(whyNot(named, holder)).toBeUndefined()
})

test('each person counts once, and only for the current input', () => {
  const two = { ...asked, needed: 2, revision: 1, decisions: [yes(anna, 0), yes(ben, 1)] }
  expect(saidYes(two)).toEqual([ben])
  expect(whyNot(two, may)).toBeUndefined()
  expect(whyNot(two, { ...may, principal: ben })).toBe(
    'You approved this. 1 more approval is needed.',
  )
})
