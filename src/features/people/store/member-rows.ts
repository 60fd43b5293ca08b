import type { Selectable } from 'kysely'
import type { Member } from '../../../core/people/member.ts'
import type { MembersTable } from '../tables.ts'

/** A member as it is stored, without the password. */
export function toMember(row: Omit<Selectable<MembersTable>, 'password_hash'>): Member {
  return {
    id: row.id,
    tenant: row.tenant,
    ...(row.email !== null && { email: row.email }),
    name: row.name,
    role: row.role,
    permissions: parsePermissions(row.permissions),
    status: row.status as Member['status'],
    createdAt: new Date(row.created_ms).toISOString(),
  }
}

/** Unreadable permissions count as none. */
function parsePermissions(text: string): string[] {
  try {
    const value: unknown = JSON.parse(text)
    const isList = Array.isArray(value) && value.every((one) => typeof one === 'string')
    return isList ? value : []
  } catch {
    return []
  }
}
