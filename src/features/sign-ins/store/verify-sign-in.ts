import { signInIdleMs, signInMostMs } from '../../../core/sign-in/sign-in.ts'
import type { VerifiedSignIn } from '../../../core/sign-in/sign-in.ts'
import type { Engine, Statement } from '../../../store/engine/engine.ts'
import { hashToken } from '../../../store/one-time-token.ts'
import { findSignIn, toVerified } from './sign-in-rows.ts'

/**
 * A verified cookie is good for so long without asking again. It is also how late a sign-out on
 * another node is felt here, should word of it get lost.
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
  /** Forgets all it knows: something has changed somewhere. */
  forget(): void
}

/** Looks cookies up, at most once a second each. */
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
    // Noted before it is read, so that word of a change that comes meanwhile drops it.
    const entry = { until: performance.now() + rememberMs, found: look(hash) }
    remembered.delete(name)
    remembered.set(name, entry)
    const forget = () => remembered.get(name) === entry && remembered.delete(name)
    // Only what was found is kept: guesses must not push real ones out.
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
  // Another node was quicker, or it has just ended: the next look tells.
  if (row === undefined) return found
  engine.noteWrites(1)
  const lastSeenAt = new Date(now).toISOString()
  const expiresAt = new Date(Number(row[0])).toISOString()
  return { ...found, signIn: { ...found.signIn, lastSeenAt, expiresAt } }
}
