import type { Principal } from '../../core/call.ts'
import type { ToldEvent } from '../../core/events/event.ts'
import type { JsonValue } from '../../core/json.ts'
import type { AttemptLimit } from './attempt-rules.ts'
import type { Member, NewMember } from '../../core/people/member.ts'
import type {
  OpenedSignIn,
  SignIn,
  SignInMethod,
  VerifiedSignIn,
  Visitor,
} from '../../core/sign-in/sign-in.ts'

/** What a one-time token is for. */
export type TokenKind = 'sign-in' | 'invitation' | 'oidc'

/** A token that works once, without the token itself: only a digest of that is kept. */
export interface OneTime {
  id: string
  kind: TokenKind
  tenant: string
  facts: JsonValue
  createdAt: string
  expiresAt: string
}

/** One sign-in, whichever way. All of it happens or nothing does. */
export interface Entry {
  tenant: string
  /** Used up by it; used, expired and revoked ones are refused alike. */
  spends?: { kind: TokenKind; token: string }
  who: { id: string } | { joins: NewMember & { email: string }; passwordHash?: string }
  method: SignInMethod
  visitor: Visitor
  /** Told in `member.signed_in`: the provider's name. */
  via?: string
}

/** Browsers that members are signed in on. Only a digest of the cookie is stored. */
export interface SignIns {
  /** Throws sign_in_failed for a spent token or a member who may not, conflict for an address that is a member's. */
  open(entry: Entry): Promise<OpenedSignIn>
  /** The valid sign-in of this cookie, if its member is active. Remembered for a second at most. */
  verify(token: string): Promise<VerifiedSignIn | undefined>
  /** Live ones, newest first. */
  list(tenant: string, member: string): Promise<SignIn[]>
  /** Whose sign-in it is. */
  findMember(tenant: string, id: string): Promise<string | undefined>
  /** False when there is none; with a member, when it is another's. */
  end(tenant: string, id: string, by: { principal: Principal; member?: string }): Promise<boolean>
  endAll(
    tenant: string,
    member: string,
    by: { principal: Principal; except?: string },
  ): Promise<number>
  /** Signing out. */
  endByToken(token: string): Promise<void>
}

/** Links that work once: to sign in, to join, and back from another provider. */
export interface OneTimeTokens {
  create(token: {
    kind: TokenKind
    tenant: string
    facts: JsonValue
    lifetimeMs: number
    told?: (made: OneTime) => ToldEvent
  }): Promise<OneTime & { token: string }>
  /** Looks without using it up. */
  find(kind: TokenKind, token: string): Promise<OneTime | undefined>
  /** Looks and uses it up: of two at once one gets it. */
  take(kind: TokenKind, token: string): Promise<OneTime | undefined>
  /** Unused ones, newest first; expired ones too, until they are swept away. */
  list(tenant: string, kind: TokenKind): Promise<OneTime[]>
  revoke(tenant: string, which: { kind: TokenKind; id: string }, told: ToldEvent): Promise<boolean>
}

/** How often somebody tried, over all nodes. */
export interface SignInAttempts {
  /**
   * Counts a try as failed before it is made, so that many at once are no way around it. Throws
   * rate_limited when one of the subjects has to wait; then nothing is counted.
   */
  begin(limits: readonly AttemptLimit[]): Promise<void>
  /** The try went well: the account starts afresh, the address gets its try back. */
  succeed(tried: { account: string; address?: string }): Promise<void>
}

/** What signing in changes of members. */
export interface SignInPeople {
  /** Who a link is for unless somebody is named: the first owner while they are one, else the oldest. */
  findOwner(tenant: string): Promise<Member | undefined>
  /** Ends all their other sign-ins. An address is taken only where there was none. */
  setPassword(
    tenant: string,
    id: string,
    change: { hash: string; email?: string; keep?: string; by: Principal },
  ): Promise<void>
  /** The same password under other parameters; nothing happens when it was changed meanwhile. */
  rehash(tenant: string, id: string, hashes: { from: string; to: string }): Promise<void>
  /** Has anybody a password? */
  havePasswords(): Promise<boolean>
}

/** All that signing in keeps. */
export interface SignInStore {
  readonly signIns: SignIns
  readonly tokens: OneTimeTokens
  readonly attempts: SignInAttempts
  readonly people: SignInPeople
  /** Removes what is over. Returns how much went. */
  sweep(): Promise<number>
}
