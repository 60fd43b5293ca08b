import type { Caller } from '../../../core/call.ts'
import type { CribApi } from '../../../core/crib-api.ts'
import { sessionMostMs } from '../../../core/sign-in/session.ts'
import type { OpenedSession, Visitor } from '../../../core/sign-in/session.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { clientAddress } from './client-address.ts'
import { cookieName, readCookie, toCookie } from './cookies.ts'

/** What a request says about the browser it comes from. */
export interface Browser {
  /** Whoever is signed in there. */
  find(request: HttpRequest): Promise<Caller | undefined>
  /** The value of its session cookie, good or not. */
  token(request: HttpRequest): string | undefined
  visitor(request: HttpRequest): Visitor
  /** The address that people use. */
  addressOf(request: HttpRequest): string
  /** The Set-Cookie value that signs in, and the one that signs out. */
  enter(request: HttpRequest, opened: Pick<OpenedSession, 'token'>): string
  leave(request: HttpRequest): string
  /** The secret that binds the way back from a provider to this browser. */
  oidcSecret(request: HttpRequest): string | undefined
  bindOidc(request: HttpRequest, secret: string | undefined): string
}

export interface BrowserOptions {
  api: Pick<CribApi, 'findSession'>
  publicUrl: string | undefined
  /** How many proxies in front are believed. */
  trustedProxies: number
}

const oidcSeconds = 600

/** Reads browsers. The cookie lives as long as a session ever may; the server ends it before, if unused. */
export function createBrowser({ api, publicUrl, trustedProxies }: BrowserOptions): Browser {
  const addressOf = (request: HttpRequest) => publicUrl ?? request.url
  const token = (request: HttpRequest) =>
    readCookie(request.header('cookie'), cookieName(addressOf(request), 'session'))
  return {
    token,
    addressOf,
    async find(request) {
      const value = token(request)
      return value === undefined ? undefined : api.findSession(value)
    },
    visitor(request) {
      const address = clientAddress(request, publicUrl === undefined ? 0 : trustedProxies)
      const userAgent = request.header('user-agent')
      const value = token(request)
      return {
        ...(address !== undefined && { address }),
        ...(userAgent !== undefined && { userAgent: userAgent.slice(0, 300) }),
        ...(value !== undefined && { token: value }),
      }
    },
    enter: (request, opened) =>
      toCookie(addressOf(request), 'session', {
        value: opened.token,
        maxAgeSeconds: sessionMostMs / 1000,
      }),
    leave: (request) => toCookie(addressOf(request), 'session'),
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
