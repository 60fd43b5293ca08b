import type { Caller } from '../call.ts'
import type { Member } from '../people/member.ts'
import type { OpenedSession, Session, Visitor } from './session.ts'

/** Somebody asked to join a tenant. Never the link: that is shown once. */
export interface Invitation {
  id: string
  email: string
  role: string
  permissions: readonly string[]
  /** `user:<id>` or `key:<id>`. */
  invitedBy: string
  createdAt: string
  expiresAt: string
  state: 'pending' | 'expired'
}

/** What an invitation says to whoever holds its link. */
export interface InvitationOffer {
  tenant: string
  tenantName: string
  email: string
  role: string
}

/** What a sign-in link says to whoever holds it. */
export interface LinkOffer {
  tenantName: string
  /** Whom it signs in. */
  memberName: string
  /** Opening it is enough: it was printed where the server runs, and nobody else looks at it first. */
  opensAtOnce: boolean
}

/** The ways to sign in that this server offers. */
export interface SignInMethods {
  /** Anybody has a password, and signing in with one is not switched off. */
  password: boolean
  /** Several tenants: people have to say which. */
  needsTenant: boolean
  oidc: readonly { name: string; label: string }[]
}

/** Whoever is signed in, as they see themselves. */
export interface Account {
  tenant: string
  tenantName: string
  member: Member
  hasPassword: boolean
  /** The old password has to be given for a new one. */
  needsPassword: boolean
  /** The session of this request, where there is one. */
  session?: Session
}

/** The way to another provider. The secret goes into a cookie of this browser and nowhere else. */
export interface OidcStart {
  url: string
  secret: string
}

/** Signing in and out, and who is signed in where. */
export interface SignInApi {
  /** The caller of this cookie as their role stands now, or undefined. */
  findSession(token: string): Promise<Caller | undefined>
  signInMethods(): Promise<SignInMethods>
  /** Throws sign_in_failed in the same words whatever is wrong, rate_limited when it is too often. */
  signIn(
    request: { tenant?: string; email: string; password: string },
    visitor: Visitor,
  ): Promise<OpenedSession>
  /** Looks without using it up; sign_in_failed for one that no longer works. */
  findSignInLink(token: string): Promise<LinkOffer>
  signInByLink(token: string, visitor: Visitor): Promise<OpenedSession>
  signOut(token: string): Promise<void>
  /** A one-time link for a member; for oneself without a word. `path` comes after the server's address. */
  createSignInLink(
    caller: Caller,
    request: { member?: string; opensAtOnce?: boolean },
  ): Promise<{ member: string; path: string; expiresAt: string }>
  findAccount(caller: Caller): Promise<Account>
  /** One's own name; who one is and what one may do is for others to change. */
  changeAccount(caller: Caller, change: { name: string }): Promise<Account>
  changePassword(
    caller: Caller,
    change: { current?: string; password: string; email?: string },
    visitor: Visitor,
  ): Promise<void>
  /** One's own, newest first; another member's with members.manage. */
  listSessions(
    caller: Caller,
    query: { member?: string },
  ): Promise<(Session & { isCurrent: boolean })[]>
  endSession(caller: Caller, id: string): Promise<void>
  /** Everywhere; `keepCurrent` leaves the one that asks. */
  endSessions(
    caller: Caller,
    query: { member?: string; keepCurrent?: boolean },
  ): Promise<{ ended: number }>
  createInvitation(
    caller: Caller,
    request: { email: string; role: string; permissions?: readonly string[] },
  ): Promise<{ invitation: Invitation; path: string }>
  listInvitations(caller: Caller): Promise<Invitation[]>
  revokeInvitation(caller: Caller, id: string): Promise<void>
  /** Looks without using it up; sign_in_failed for one that no longer works. */
  findInvitation(token: string): Promise<InvitationOffer>
  acceptInvitation(
    request: { token: string; name: string; password: string },
    visitor: Visitor,
  ): Promise<OpenedSession>
  /** `redirectUri` is this server's own address for the way back; `next` is where to go then. */
  startOidc(
    provider: string,
    request: { redirectUri: string; next?: string },
    visitor: Visitor,
  ): Promise<OidcStart>
  /** `url` is the address the browser came back to, with its query. */
  finishOidc(
    provider: string,
    request: { url: string; redirectUri: string; secret: string | undefined },
    visitor: Visitor,
  ): Promise<OpenedSession & { next?: string }>
}
