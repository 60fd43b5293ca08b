import type { Principal } from '../../core/kernel/call.ts'
import type { EventEntry } from '../../core/events/event.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import type { AttemptLimit } from './attempt-rules.ts'
import type { Member, NewMember } from '../../core/people/member.ts'
import type {
  OpenedSignIn,
  SignIn,
  SignInMethod,
  VerifiedSignIn,
  Visitor,
} from '../../core/sign-in/sign-in.ts'

/** The purpose of a one-time token. */
export type TokenKind = 'sign-in' | 'invitation' | 'oidc'

/** A token that works once, without its secret: only a digest of that is stored. */
export interface OneTime {
  id: string
  kind: TokenKind
  tenant: string
  facts: JsonValue
  createdAt: string
  expiresAt: string
}

/** One sign-in, by any method, in one transaction. */
export interface Entry {
  tenant: string
  /** The token it uses up. Used, expired and revoked ones get the same error. */
  spends?: { kind: TokenKind; token: string }
  who: { id: string } | { joins: NewMember & { email: string }; passwordHash?: string }
  method: SignInMethod
  visitor: Visitor
  /** The provider's name, for `member.signed_in`. */
  via?: string
}

/** Browsers that members are signed in on. Only a digest of the cookie is stored. */
export interface SignIns {
  /** Throws sign_in_failed for a used token or an inactive member, and conflict for an address that a member has. */
  open(entry: Entry): Promise<OpenedSignIn>
  /** The valid sign-in of this cookie, if its member is active. Remembered for a second at most. */
  verify(token: string): Promise<VerifiedSignIn | undefined>
  /** Valid ones, newest first. */
  list(tenant: string, member: string): Promise<SignIn[]>
  /** The member of a sign-in. */
  findMember(tenant: string, id: string): Promise<string | undefined>
  /** False when there is none, or when it is not this member's. */
  end(tenant: string, id: string, by: { principal: Principal; member?: string }): Promise<boolean>
  endAll(
    tenant: string,
    member: string,
    by: { principal: Principal; except?: string },
  ): Promise<number>
  /** Signing out. */
  endByToken(token: string): Promise<void>
}

/** Links that work once: to sign in, to join, and to come back from a provider. */
export interface OneTimeTokens {
  create(token: {
    kind: TokenKind
    tenant: string
    facts: JsonValue
    lifetimeMs: number
    told?: (made: OneTime) => EventEntry
  }): Promise<OneTime & { token: string }>
  /** Does not use it up. */
  find(kind: TokenKind, token: string): Promise<OneTime | undefined>
  /** Uses it up: of two at once, one gets it. */
  take(kind: TokenKind, token: string): Promise<OneTime | undefined>
  /** Unused ones, newest first, including expired ones until they are removed. */
  list(tenant: string, kind: TokenKind): Promise<OneTime[]>
  revoke(tenant: string, which: { kind: TokenKind; id: string }, told: EventEntry): Promise<boolean>
}

/** Counts attempts to sign in over all nodes. */
export interface SignInAttempts {
  /**
   * Counts an attempt as failed before it is made, so that parallel attempts cannot bypass the limit. Throws
   * rate_limited when one of the subjects has to wait; then nothing is counted.
   */
  begin(limits: readonly AttemptLimit[]): Promise<void>
  /** The attempt succeeded: the account is reset, and the attempt no longer counts for the address. */
  succeed(tried: { account: string; address?: string }): Promise<void>
}

/** Changes to members by signing in. */
export interface SignInPeople {
  /** The member a link is for by default: the first owner, or the oldest one if that member is no longer an owner. */
  findOwner(tenant: string): Promise<Member | undefined>
  /** Ends all their other sign-ins. An address is stored only if there was none. */
  setPassword(
    tenant: string,
    id: string,
    change: { hash: string; email?: string; keep?: string; by: Principal },
  ): Promise<void>
  /** Stores the same password with other parameters, unless it was changed in the meantime. */
  rehash(tenant: string, id: string, hashes: { from: string; to: string }): Promise<void>
  /** True if anybody has a password. */
  havePasswords(): Promise<boolean>
}

/** Everything that signing in stores. */
export interface SignInStore {
  readonly signIns: SignIns
  readonly tokens: OneTimeTokens
  readonly attempts: SignInAttempts
  readonly people: SignInPeople
  /** Removes what has expired. Returns how many rows. */
  sweep(): Promise<number>
}
