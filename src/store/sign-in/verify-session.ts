import { sessionIdleMs, sessionMostMs } from '../../core/sign-in/session.ts'
import type { VerifiedSession } from '../../core/sign-in/session.ts'
import type { Engine, Statement } from '../engine/engine.ts'
import { hashToken } from './one-time-token.ts'
import { findSession, toVerified } from './session-rows.ts'

/**
 * A verified cookie is good for so long without asking again. It is also how late a sign-out on
 * another node is felt here, should word of it get lost.
 */
const rememberMs = 1_000
const rememberAtMost = 10_000
/** How often a session that is used is written. */
const touchEveryMs = 60_000

interface Remembered {
  until: number
  found: Promise<VerifiedSession | undefined>
}

export interface SessionCheck {
  verify(token: string): Promise<VerifiedSession | undefined>
  /** Forgets all it knows: something has changed somewhere. */
  forget(): void
}

/** Looks cookies up, at most once a second each. */
export function createSessionCheck(engine: Engine): SessionCheck {
  const remembered = new Map<string, Remembered>()

  async function look(hash: Buffer): Promise<VerifiedSession | undefined> {
    const [row] = await engine.run(findSession, [hash])
    if (row === undefined) return undefined
    const found = toVerified(row)
    if (isOver(found, engine.now())) return undefined
    return touch(engine, hash, found)
  }
  function recall(token: string): Promise<VerifiedSession | undefined> {
    const hash = hashToken(token)
    const name = hash.toString('base64')
    const known = remembered.get(name)
    if (known !== undefined && known.until > performance.now()) return known.found
    // Noted before it is read, so that word of a change that comes meanwhile drops it.
    const entry = { until: performance.now() + rememberMs, found: look(hash) }
    remembered.delete(name)
    remembered.set(name, entry)
    const forget = () => remembered.get(name) === entry && remembered.delete(name)
    // Only what was found is kept: guesses must not push real sessions out.
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

function isOver({ session }: VerifiedSession, now: number): boolean {
  return Date.parse(session.expiresAt) <= now
}

const touchSession: Statement = {
  name: 'touch_session',
  text: `update sessions set last_seen_ms = $2::bigint,
      expires_ms = least($2::bigint + ${sessionIdleMs}, created_ms + ${sessionMostMs})
    where hash = $1 and last_seen_ms <= $2::bigint - ${touchEveryMs}
    returning expires_ms::text`,
}

/** A session that is used lives on. */
async function touch(
  engine: Engine,
  hash: Buffer,
  found: VerifiedSession,
): Promise<VerifiedSession> {
  const now = engine.now()
  if (now - Date.parse(found.session.lastSeenAt) < touchEveryMs) return found
  const [row] = await engine.run(touchSession, [hash, String(now)])
  // Another node was quicker, or it has just ended: the next look tells.
  if (row === undefined) return found
  engine.noteWrites(1)
  const lastSeenAt = new Date(now).toISOString()
  const expiresAt = new Date(Number(row[0])).toISOString()
  return { ...found, session: { ...found.session, lastSeenAt, expiresAt } }
}
