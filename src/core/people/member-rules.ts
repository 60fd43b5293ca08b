import type { EventPayloads } from '../events/event.ts'
import { ToolError } from '../kernel/errors.ts'
import type { Member, MemberChange } from './member.ts'

/** An owner who can act. Once a tenant has one, it always has at least one. */
export function isActiveOwner({ role, status }: Pick<Member, 'role' | 'status'>): boolean {
  return role === 'owner' && status === 'active'
}

/** Throws conflict if the tenant would be left without an owner. */
export function assertOwnerStays(
  before: Member,
  after: Member | undefined,
  hasOther: boolean,
): void {
  const isLost = isActiveOwner(before) && (after === undefined || !isActiveOwner(after))
  if (!isLost || hasOther) return
  throw new ToolError('conflict', `${before.name} is the last owner of this tenant`, {
    fix: 'Make someone else an owner first.',
  })
}

/** The fields that a change alters, before and after, for its event. */
export function describeChange(
  before: Member,
  after: Member,
): EventPayloads['member.changed'] | undefined {
  const fields = ['name', 'role', 'status', 'permissions'] as const
  const changed = fields.filter((field) => !isSame(before[field], after[field]))
  if (changed.length === 0) return undefined
  const pick = (member: Member) =>
    Object.fromEntries(changed.map((field) => [field, structuredClone(member[field])]))
  return { id: before.id, name: before.name, from: pick(before), to: pick(after) }
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}

/** The member after a change. Omitted fields are unchanged. */
export function changeMember(member: Member, change: MemberChange): Member {
  return {
    ...member,
    name: change.name ?? member.name,
    role: change.role ?? member.role,
    permissions: change.permissions ?? member.permissions,
    status: change.status ?? member.status,
  }
}

/** The tenant has a member with this address. */
export function emailTaken(email: string): ToolError {
  return new ToolError('conflict', `${email} is already a member of this tenant`, {
    fix: 'Change that member instead: toolcrib members lists them.',
  })
}
