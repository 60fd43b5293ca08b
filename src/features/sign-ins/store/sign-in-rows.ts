import type { Selectable } from 'kysely'
import type { SignIn, SignInMethod, VerifiedSignIn } from '../../../core/sign-in/sign-in.ts'
import type { Statement, TextRow } from '../../../store/engine/engine.ts'
import { toMember } from '../../../store/people/member-rows.ts'
import type { SessionsTable } from '../../../store/rules/rules-tables.ts'

type SignInColumns = Omit<Selectable<SessionsTable>, 'hash' | 'tenant'>

/** A sign-in as people see it, without its secret. */
export function toSignIn(row: SignInColumns): SignIn {
  return {
    id: row.id,
    member: row.member,
    method: row.method as SignInMethod,
    ...(row.user_agent !== null && { userAgent: row.user_agent }),
    ...(row.address !== null && { address: row.address }),
    createdAt: new Date(row.created_ms).toISOString(),
    lastSeenAt: new Date(row.last_seen_ms).toISOString(),
    expiresAt: new Date(row.expires_ms).toISOString(),
  }
}

/** Hot: every request of a browser comes through here at least once a second. */
export const findSignIn: Statement = {
  name: 'find_session',
  text: `select s.id, s.member, s.method, s.user_agent, s.address, s.created_ms::text,
      s.last_seen_ms::text, s.expires_ms::text,
      m.tenant, m.email, m.name, m.role, m.permissions, m.created_ms::text
    from sessions s
    join members m on m.tenant = s.tenant and m.id = s.member and m.status = 'active'
    where s.hash = $1`,
}

/** Back from the hot statement. */
export function toVerified(row: TextRow): VerifiedSignIn {
  const text = (at: number) => row[at] ?? ''
  const signIn = toSignIn({
    id: text(0),
    member: text(1),
    method: text(2),
    user_agent: row[3] ?? null,
    address: row[4] ?? null,
    created_ms: Number(row[5]),
    last_seen_ms: Number(row[6]),
    expires_ms: Number(row[7]),
  })
  const member = toMember({
    tenant: text(8),
    id: signIn.member,
    email: row[9] ?? null,
    name: text(10),
    role: text(11),
    permissions: text(12),
    status: 'active',
    created_ms: Number(row[13]),
    updated_ms: Number(row[13]),
  })
  return { signIn, member }
}
