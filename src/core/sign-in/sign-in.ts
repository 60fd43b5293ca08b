import type { Caller } from '../kernel/call.ts'
import { ToolError } from '../kernel/errors.ts'
import type { Member } from '../people/member.ts'

/** How a person proved their identity. */
export type SignInMethod = 'link' | 'password' | 'oidc' | 'invitation'

/** The origin of a request, as the door saw it. */
export interface Visitor {
  address?: string
  userAgent?: string
  /** The previous cookie of this browser: signing in again ends that sign-in. */
  token?: string
}

/** A browser in which a person is signed in. */
export interface SignIn {
  id: string
  member: string
  method: SignInMethod
  userAgent?: string
  address?: string
  createdAt: string
  lastSeenAt: string
  /** When it ends if it is not used; never later than thirty days after it started. */
  expiresAt: string
}

/** A sign-in whose cookie is valid, with its member's current rights. */
export interface VerifiedSignIn {
  signIn: SignIn
  member: Member
}

/** A new sign-in. The token is the cookie's value, known only to the browser. */
export interface OpenedSignIn extends VerifiedSignIn {
  token: string
}

/** A sign-in ends after a week without use, and after a month in any case. */
export const signInIdleMs = 7 * 86_400_000
export const signInMostMs = 30 * 86_400_000

/** The contents of an invitation, for the person with its link. */
export interface InvitationOffer {
  tenant: string
  tenantName: string
  email: string
  role: string
}

/** The contents of a sign-in link, for the person who has it. */
export interface LinkOffer {
  tenantName: string
  /** The member it signs in. */
  memberName: string
  /**
   * Opening it is enough: it was printed where the server runs, and nothing fetches it before a
   * person does.
   */
  opensAtOnce: boolean
}

/** The available sign-in methods. */
export interface SignInMethods {
  /** At least one member has a password, and signing in with one is not disabled. */
  password: boolean
  /** There are several tenants: people have to name theirs. */
  needsTenant: boolean
  oidc: readonly { name: string; label: string }[]
}

/**
 * The address of an identity provider. The secret goes into a cookie of this browser and nowhere
 * else.
 */
export interface OidcStart {
  url: string
  secret: string
}

/**
 * The methods behind the pages and cookies of signing in and out. Nobody is signed in yet, so there
 * is no caller.
 */
export interface SignInDoor {
  /** The caller of this cookie, with the current permissions of their role. */
  findSignedIn(token: string): Promise<Caller | undefined>
  signInMethods(): Promise<SignInMethods>
  /** Throws the same sign_in_failed for every mistake, and rate_limited after too many attempts. */
  signIn(
    request: { tenant?: string; email: string; password: string },
    visitor: Visitor,
  ): Promise<OpenedSignIn>
  /** Does not use the link up. Throws sign_in_failed for one that no longer works. */
  findSignInLink(token: string): Promise<LinkOffer>
  signInByLink(token: string, visitor: Visitor): Promise<OpenedSignIn>
  signOut(token: string): Promise<void>
  /**
   * The path of a link that signs an owner in as soon as it is opened, for the person who starts
   * the server.
   */
  createStartLink(caller: Caller): Promise<string>
  /** Does not use the invitation up. Throws sign_in_failed for one that no longer works. */
  findInvitation(token: string): Promise<InvitationOffer>
  acceptInvitation(
    request: { token: string; name: string; password: string },
    visitor: Visitor,
  ): Promise<OpenedSignIn>
  /** `redirectUri` is the address of this server to return to; `next` is the page after that. */
  startOidc(
    provider: string,
    request: { redirectUri: string; next?: string },
    visitor: Visitor,
  ): Promise<OidcStart>
  /** `url` is the address to which the browser returned, with its query. */
  finishOidc(
    provider: string,
    request: { url: string; redirectUri: string; secret: string | undefined },
    visitor: Visitor,
  ): Promise<OpenedSignIn & { next?: string }>
}

/** The same error for every link that does not work, whatever the reason. */
export function linkIsOver(): ToolError {
  return new ToolError('sign_in_failed', 'This link was used, has expired or was withdrawn', {
    fix: 'Ask its sender for a new one.',
  })
}
