import type { Member } from '../people/member.ts'

/** How somebody proved who they are. */
export type SignInMethod = 'link' | 'password' | 'oidc' | 'invitation'

/** Where a request comes from, as the door saw it. */
export interface Visitor {
  address?: string
  userAgent?: string
  /** The cookie this browser had before: whoever signs in anew leaves that session. */
  token?: string
}

/** A browser that somebody is signed in on. */
export interface Session {
  id: string
  member: string
  method: SignInMethod
  userAgent?: string
  address?: string
  createdAt: string
  lastSeenAt: string
  /** When it ends unless it is used before; never later than thirty days after it began. */
  expiresAt: string
}

/** A session whose cookie is good now, with its member as they stand. */
export interface VerifiedSession {
  session: Session
  member: Member
}

/** A session that has just begun. The token is the cookie's value, known to the browser alone. */
export interface OpenedSession extends VerifiedSession {
  token: string
}

/** A week without use ends a session, a month ends it in any case. */
export const sessionIdleMs = 7 * 86_400_000
export const sessionMostMs = 30 * 86_400_000
