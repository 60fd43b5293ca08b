import type { Caller } from '../../../core/kernel/call.ts'
import type { CoreApi } from '../../../core/crib-api.ts'
import { signInMostMs } from '../../../core/sign-in/sign-in.ts'
import type { OpenedSignIn, Visitor } from '../../../core/sign-in/sign-in.ts'
import { type AuthThrottle, isOneTimeForm } from './auth-throttle.ts'
import type { HttpRequest } from './http-request.ts'
import { clientAddress } from './client-address.ts'
import { cookieName, readCookie, toCookie } from './cookies.ts'

/** Facts in a request about the browser it comes from. */
export interface Browser {
  /** The person signed in there. `isAgain` if the same request was accepted before. */
  find(request: HttpRequest, isAgain?: boolean): Promise<Caller | undefined>
  /** The value of its sign-in cookie, valid or not. */
  token(request: HttpRequest): string | undefined
  visitor(request: HttpRequest): Visitor
  /** The address that people use. */
  addressOf(request: HttpRequest): string
  /** The Set-Cookie value that signs in, and the one that signs out. */
  enter(request: HttpRequest, opened: Pick<OpenedSignIn, 'token'>): string
  leave(request: HttpRequest): string
  /** The secret that binds the way back from a provider to this browser. */
  oidcSecret(request: HttpRequest): string | undefined
  bindOidc(request: HttpRequest, secret: string | undefined): string
}

export interface BrowserOptions {
  api: Pick<CoreApi, 'findSignedIn'>
  publicUrl: string | undefined
  /** How many proxies in front are believed about where a request comes from. */
  trustedProxies: number
  throttle: AuthThrottle
}

const oidcSeconds = 600

/** Reads browsers. The cookie lives as long as a sign-in can last; the server ends unused ones sooner. */
export function createBrowser({
  api,
  publicUrl,
  trustedProxies,
  throttle,
}: BrowserOptions): Browser {
  const addressOf = (request: HttpRequest) => publicUrl ?? request.url
  const token = (request: HttpRequest) =>
    readCookie(request.header('cookie'), cookieName(addressOf(request), 'sign-in'))
  return {
    token,
    addressOf,
    async find(request, isAgain = false) {
      const value = token(request)
      if (value === undefined) return undefined
      if (isAgain) return api.findSignedIn(value)
      throttle.check(request, value, isOneTimeForm)
      const caller = await api.findSignedIn(value)
      if (caller !== undefined) {
        throttle.pass(request, value)
        return caller
      }
      const tooMany = throttle.fail(request, value)
      if (tooMany !== undefined) throw tooMany
      return undefined
    },
    visitor(request) {
      const address = clientAddress(request, trustedProxies)
      const userAgent = request.header('user-agent')
      const value = token(request)
      return {
        ...(address !== undefined && { address }),
        ...(userAgent !== undefined && { userAgent: userAgent.slice(0, 300) }),
        ...(value !== undefined && { token: value }),
      }
    },
    enter: (request, opened) =>
      toCookie(addressOf(request), 'sign-in', {
        value: opened.token,
        maxAgeSeconds: signInMostMs / 1000,
      }),
    leave: (request) => toCookie(addressOf(request), 'sign-in'),
    oidcSecret: (request) =>
      readCookie(request.header('cookie'), cookieName(addressOf(request), 'oidc')),
    bindOidc: (request, secret) =>
      toCookie(
        addressOf(request),
        'oidc',
        secret === undefined ? undefined : { value: secret, maxAgeSeconds: oidcSeconds },
      ),
  }
}
