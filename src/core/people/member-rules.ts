import { ToolError } from '../errors.ts'
import type { JsonValue } from '../json.ts'
import type { Member, MemberChange } from './member.ts'

/** An owner who can act: a tenant has at least one, once it has had one. */
export function isActiveOwner({ role, status }: Pick<Member, 'role' | 'status'>): boolean {
  return role === 'owner' && status === 'active'
}

/** Throws conflict where the tenant would be left without an owner. */
export function assertOwnerStays(
  before: Member,
  after: Member | undefined,
  hasOther: boolean,
): void {
  const isLost = isActiveOwner(before) && (after === undefined || !isActiveOwner(after))
  if (!isLost || hasOther) return
  throw new ToolError('conflict', `${before.name} is the last owner of this tenant`, {
    fix: 'Make somebody else an owner first.',
  })
}

/** What a change does to a member, for its event: the fields that differ, before and after. */
export function describeChange(
  before: Member,
  after: Member,
): Record<string, JsonValue> | undefined {
  const fields = ['name', 'role', 'status', 'permissions'] as const
  const changed = fields.filter((field) => !isSame(before[field], after[field]))
  if (changed.length === 0) return undefined
  const pick = (member: Member) =>
    Object.fromEntries(changed.map((field) => [field, structuredClone(member[field]) as JsonValue]))
  return { id: before.id, name: before.name, from: pick(before), to: pick(after) }
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}

/** The member after a change; what is not said stays. */
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
  return new ToolError('conflict', `${email} is a member of this tenant already`, {
    fix: 'Change that member instead: toolcrib members lists them.',
  })
}
