import type { Caller } from '../kernel/call.ts'
import { ToolError } from '../kernel/errors.ts'
import type { Member } from '../people/member.ts'

/** How somebody proved who they are. */
export type SignInMethod = 'link' | 'password' | 'oidc' | 'invitation'

/** Where a request comes from, as the door saw it. */
export interface Visitor {
  address?: string
  userAgent?: string
  /** The cookie that this browser had before: signing in again ends that sign-in. */
  token?: string
}

/** A browser that somebody is signed in on. */
export interface SignIn {
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

/** A sign-in whose cookie is valid now, with its member as they are now. */
export interface VerifiedSignIn {
  signIn: SignIn
  member: Member
}

/** A sign-in that has just begun. The token is the cookie's value, known to the browser alone. */
export interface OpenedSignIn extends VerifiedSignIn {
  token: string
}

/** A sign-in ends after a week without use, and after a month in any case. */
export const signInIdleMs = 7 * 86_400_000
export const signInMostMs = 30 * 86_400_000

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
  /** Opening it is enough: it was printed where the server runs, and nothing fetches it before a person does. */
  opensAtOnce: boolean
}

/** The ways to sign in that this server offers. */
export interface SignInMethods {
  /** Somebody has a password, and signing in with one is not switched off. */
  password: boolean
  /** There are several tenants: people have to name theirs. */
  needsTenant: boolean
  oidc: readonly { name: string; label: string }[]
}

/** The address of another provider. The secret goes into a cookie of this browser and nowhere else. */
export interface OidcStart {
  url: string
  secret: string
}

/** What the pages and cookies of signing in and out work with. Nobody is signed in yet, so there is no caller. */
export interface SignInDoor {
  /** The caller that this cookie stands for, with what their role allows now. */
  findSignedIn(token: string): Promise<Caller | undefined>
  signInMethods(): Promise<SignInMethods>
  /** Throws the same sign_in_failed whatever is wrong, and rate_limited after too many attempts. */
  signIn(
    request: { tenant?: string; email: string; password: string },
    visitor: Visitor,
  ): Promise<OpenedSignIn>
  /** Does not use the link up. Throws sign_in_failed for one that no longer works. */
  findSignInLink(token: string): Promise<LinkOffer>
  signInByLink(token: string, visitor: Visitor): Promise<OpenedSignIn>
  signOut(token: string): Promise<void>
  /** The path of a link that signs an owner in as soon as it is opened, for whoever starts the server. */
  createStartLink(caller: Caller): Promise<string>
  /** Does not use the invitation up. Throws sign_in_failed for one that no longer works. */
  findInvitation(token: string): Promise<InvitationOffer>
  acceptInvitation(
    request: { token: string; name: string; password: string },
    visitor: Visitor,
  ): Promise<OpenedSignIn>
  /** `redirectUri` is the address of this server to come back to; `next` is where to go after that. */
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
  ): Promise<OpenedSignIn & { next?: string }>
}

/** One answer for every link that does not work, whatever is wrong with it. */
export function linkIsOver(): ToolError {
  return new ToolError('sign_in_failed', 'This link was used, has expired or was withdrawn', {
    fix: 'Ask whoever sent it for a new one.',
  })
}
