import type { IncomingMessage } from 'node:http'
import type { Caller } from '../../../core/kernel/call.ts'
import type { CoreApi } from '../../../core/crib-api.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { Runtime } from '../../../core/kernel/runtime.ts'
import { type AuthThrottle, isKeyForm } from './auth-throttle.ts'
import type { HttpRequest } from './http-request.ts'
import type { Browser } from './browser.ts'

/** `again` if the same request was accepted before, and its answer is still open. */
export type Purpose = 'read' | 'change' | 'again'

/** Identifies the caller, or throws `unauthorized`, or `rate_limited` after too many failures. */
export interface Identify {
  (request: HttpRequest, purpose: Purpose): Promise<Caller> | Caller
}

export interface IdentifyOptions {
  api: CoreApi
  browser: Browser
  throttle: AuthThrottle
  /** The address people use, where a proxy makes it another than the one requests arrive at. */
  publicUrl: string | undefined
  /** Receives the caller. */
  onCaller?: ((incoming: IncomingMessage, caller: Caller) => void) | undefined
  /** The door that keys come in by (`api`). */
  runtime?: Runtime
}

/** The token of an Authorization header. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : bearer.exec(authorization)?.[1]
}

/** A token of another issuer is a few kilobytes long. */
const bearer = /^bearer +(\S{1,8192}) *$/i

/** Builds the check that every request of a caller passes: a key first, else the browser's sign-in. */
export function createIdentify(options: IdentifyOptions): Identify {
  const { api, browser, throttle, publicUrl, runtime = 'api' } = options
  const isFormOk = (token: string) => isTokenForm(api, token)
  async function identifyBrowser(request: HttpRequest, purpose: Purpose): Promise<Caller> {
    const caller = await browser.find(request, purpose === 'again')
    // A cookie that opens nothing is counted where it is read.
    if (caller === undefined && browser.token(request) === undefined) {
      throw throttle.fail(request, undefined) ?? noKey()
    }
    if (caller === undefined) throw noKey()
    if (purpose === 'change') checkOrigin(request, publicUrl)
    return caller
  }
  async function identifyByKey(request: HttpRequest, header: string, purpose: Purpose) {
    const token = bearerToken(header)
    // An open answer is not cut because others fail at its address.
    if (purpose !== 'again') throttle.check(request, token, isFormOk)
    const caller = token === undefined ? undefined : await api.authenticate(token, runtime)
    if (caller === undefined || token === undefined) {
      throw throttle.fail(request, token) ?? wrongToken(api, token)
    }
    throttle.pass(request, token)
    return caller
  }
  function identifySelf(request: HttpRequest, purpose: Purpose): Promise<Caller> {
    const authorization = request.header('authorization')
    if (authorization !== undefined) return identifyByKey(request, authorization, purpose)
    return identifyBrowser(request, purpose)
  }
  function identify(request: HttpRequest, purpose: Purpose): Promise<Caller> {
    const caller = identifySelf(request, purpose)
    const tenant = request.header('toolcrib-tenant')
    return tenant === undefined ? caller : actIn(api, caller, tenant)
  }
  const { onCaller } = options
  if (onCaller === undefined) return identify
  return async function identifyAndTell(request, purpose) {
    const caller = await identify(request, purpose)
    if (request.incoming !== undefined) onCaller(request.incoming, caller)
    return caller
  }
}

/** Callers who may act in other tenants name the tenant. */
async function actIn(api: CoreApi, caller: Promise<Caller>, tenant: string): Promise<Caller> {
  return api.actIn(await caller, tenant)
}

/** Whether it can be valid at all, found without a lookup. */
export function isTokenForm(api: Pick<CoreApi, 'tokenTerms'>, token: string): boolean {
  return token.startsWith('crib_') ? isKeyForm(token) : api.tokenTerms().issuers.length > 0
}

function wrongToken(api: CoreApi, token: string | undefined): ToolError {
  const mayBeToken = token?.startsWith('crib_') === false && api.tokenTerms().issuers.length > 0
  return mayBeToken ? badToken() : badKey()
}

function badKey(): ToolError {
  return new ToolError('unauthorized', 'This key is unknown, expired or revoked', {
    fix: 'Make one with `toolcrib keys create` and send it as Authorization: Bearer crib_… (commands read TOOLCRIB_KEY).',
  })
}

/** One sentence for every fault: a stranger does not learn how close they came. */
function badToken(): ToolError {
  const message = 'This access token is expired, of an unknown issuer, or made for another server'
  return new ToolError('unauthorized', message, {
    fix: 'Sign in again with the issuer that the metadata of /mcp names, or send a key.',
  })
}

function noKey(): ToolError {
  return new ToolError('unauthorized', 'This needs an API key', {
    fix: 'Send Authorization: Bearer crib_… (make a key with `toolcrib keys create`), or sign in.',
  })
}

/**
 * A browser sends the sign-in cookie with requests that other sites trigger. Only a request whose
 * headers show our own pages as the origin may change something; one without such headers may not.
 */
export function checkOrigin(request: HttpRequest, publicUrl: string | undefined): void {
  const site = request.header('sec-fetch-site')
  const origin = request.header('origin')
  const isOurs =
    site === undefined ? hasOwnHost(origin, publicUrl ?? request.url) : site === 'same-origin'
  if (isOurs) return
  throw new ToolError(
    'forbidden',
    'A signed-in browser may change things only from the console itself',
    {
      fix: 'Use an API key from other places.',
    },
  )
}

/** Without a sign-in there is nothing to misuse, but no other site may sign its visitors in here. */
export function checkForeignOrigin(request: HttpRequest, publicUrl: string | undefined): void {
  const isBrowser = ['sec-fetch-site', 'origin'].some((name) => request.header(name) !== undefined)
  if (isBrowser) checkOrigin(request, publicUrl)
}

function hasOwnHost(origin: string | undefined, url: string): boolean {
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === new URL(url).host
}
