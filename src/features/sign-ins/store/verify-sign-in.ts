import type { Selectable } from 'kysely'
import { signInIdleMs, signInMostMs } from '../../../core/sign-in/sign-in.ts'
import type { SignIn, SignInMethod, VerifiedSignIn } from '../../../core/sign-in/sign-in.ts'
import type { Engine, Statement, TextRow } from '../../../store/engine/engine.ts'
import { hashToken } from '../../../store/one-time-token.ts'
import { toMember } from '../../people/member-rows.ts'
import type { SessionsTable } from '../tables.ts'

/**
 * How long a verified cookie is trusted without another check. If the notice of a sign-out on another
 * node gets lost, this is how late it takes effect here.
 */
const rememberMs = 1_000
const rememberAtMost = 10_000
/** How often the last use is written. */
const touchEveryMs = 60_000

interface Remembered {
  until: number
  found: Promise<VerifiedSignIn | undefined>
}

export interface SignInCheck {
  verify(token: string): Promise<VerifiedSignIn | undefined>
  /** Forgets everything, because something changed on some node. */
  forget(): void
}

/** Looks up cookies, each at most once a second. */
export function createSignInCheck(engine: Engine): SignInCheck {
  const remembered = new Map<string, Remembered>()

  async function look(hash: Buffer): Promise<VerifiedSignIn | undefined> {
    const [row] = await engine.run(findSignIn, [hash])
    if (row === undefined) return undefined
    const found = toVerified(row)
    if (isOver(found, engine.now())) return undefined
    return touch(engine, hash, found)
  }
  function recall(token: string): Promise<VerifiedSignIn | undefined> {
    const hash = hashToken(token)
    const name = hash.toString('base64')
    const known = remembered.get(name)
    if (known !== undefined && known.until > performance.now()) return known.found
    // Stored before it is read, so that a change notice in between drops it.
    const entry = { until: performance.now() + rememberMs, found: look(hash) }
    remembered.delete(name)
    remembered.set(name, entry)
    const forget = () => remembered.get(name) === entry && remembered.delete(name)
    // Only valid cookies are kept: guesses must not push real ones out.
    entry.found.then((found) => found ?? forget(), forget)
    if (remembered.size > rememberAtMost) remembered.delete(remembered.keys().next().value ?? '')
    return entry.found
  }
  return {
    async verify(token) {
      if (!/^[\w-]{43}$/.test(token)) return undefined
      const found = await recall(token)
      return found === undefined || isOver(found, engine.now()) ? undefined : found
    },
    forget: () => remembered.clear(),
  }
}

function isOver({ signIn }: VerifiedSignIn, now: number): boolean {
  return Date.parse(signIn.expiresAt) <= now
}

const touchSignIn: Statement = {
  name: 'touch_session',
  text: `update sessions set last_seen_ms = $2::bigint,
      expires_ms = least($2::bigint + ${signInIdleMs}, created_ms + ${signInMostMs})
    where hash = $1 and last_seen_ms <= $2::bigint - ${touchEveryMs}
    returning expires_ms::text`,
}

/** Use prolongs a sign-in. */
async function touch(engine: Engine, hash: Buffer, found: VerifiedSignIn): Promise<VerifiedSignIn> {
  const now = engine.now()
  if (now - Date.parse(found.signIn.lastSeenAt) < touchEveryMs) return found
  const [row] = await engine.run(touchSignIn, [hash, String(now)])
  // Another node was quicker, or it has just ended; the next lookup shows which.
  if (row === undefined) return found
  engine.noteWrites(1)
  const lastSeenAt = new Date(now).toISOString()
  const expiresAt = new Date(Number(row[0])).toISOString()
  return { ...found, signIn: { ...found.signIn, lastSeenAt, expiresAt } }
}

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

/** Hot: runs for every active browser about once a second. */
const findSignIn: Statement = {
  name: 'find_session',
  text: `select s.id, s.member, s.method, s.user_agent, s.address, s.created_ms::text,
      s.last_seen_ms::text, s.expires_ms::text,
      m.tenant, m.email, m.name, m.role, m.permissions, m.created_ms::text
    from sessions s
    join members m on m.tenant = s.tenant and m.id = s.member and m.status = 'active'
    where s.hash = $1`,
}

/** Reads a row of the hot statement. */
function toVerified(row: TextRow): VerifiedSignIn {
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
  })
  return { signIn, member }
}
