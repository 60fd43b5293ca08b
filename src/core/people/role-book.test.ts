import { expect, test } from 'vitest'
import { createRoleBook } from './role-book.ts'

const book = createRoleBook({ cashier: { permissions: ['tools.call', 'billing.*'] } })

test('a member has the permissions of the role and those given in addition, each once', () => {
  const own = ['billing.refund', 'tools.call']
  expect(book.permissionsOf({ role: 'member', permissions: own })).toEqual([
    'tools.call',
    'agents.chat',
    'billing.refund',
  ])
  expect(book.permissionsOf({ role: 'cashier', permissions: [] })).toEqual([
    'tools.call',
    'billing.*',
  ])
})

test('members without extra permissions share the list of their role', () => {
  const ask = () => book.permissionsOf({ role: 'owner', permissions: [] })
  expect(ask()).toBe(ask())
})

test('a removed role grants nothing, and names that every object has are not roles', () => {
  for (const role of ['waiter', 'constructor', '__proto__']) {
    expect(book.permissionsOf({ role, permissions: ['a.b'] })).toEqual(['a.b'])
    expect(() => book.assertRole(role)).toThrow(/There is no role/)
  }
})

test('an unknown role is refused with the list of roles', () => {
  expect(() => book.assertRole('cashier')).not.toThrow()
  expect(() => book.assertRole('ownr')).toThrow(
    'There is no role "ownr"; did you mean "owner"? Known: admin, auditor, cashier, member, operator, owner, viewer',
  )
})

test('a configured role never replaces a built-in one', () => {
  const sly = createRoleBook({ viewer: { permissions: ['*'] } })
  expect(sly.permissionsOf({ role: 'viewer', permissions: [] })).toEqual([
    'policy.read',
    'usage.read',
  ])
})
