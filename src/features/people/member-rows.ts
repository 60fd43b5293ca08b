import type { Member } from '../../core/people/member.ts'

/** A row of the table of members as far as people see it. */
interface MemberRow {
  id: string
  tenant: string
  email: string | null
  name: string
  role: string
  permissions: string
  status: string
  created_ms: number
}

/** The member in a row. Stores of other features read the table too. */
export function toMember(row: MemberRow): Member {
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
