import { hash } from 'node:crypto'
import { ToolError, isToolError } from '../../../core/kernel/errors.ts'
import type { ErrorCode } from '../../../core/kernel/errors.ts'
import { parseApiKey } from '../../../core/keys/api-key-token.ts'
import { networkOf } from '../../../core/net/network-of.ts'
import { clientAddress } from './client-address.ts'
import type { HttpRequest } from './http-request.ts'

/** Beyond this many networks the one that failed longest ago is forgotten. */
const networksAtMost = 10_000
/** A credential that was good is checked whatever else comes from its network, for so long. */
const knownMs = 3_600_000
const knownAtMost = 10_000
/** Credentials nobody has seen yet, from networks over their limit, that a node looks up a second. */
const sparePerSecond = 20

export interface AuthThrottleOptions {
  /** Failures of one network that are answered with 401; it regains them evenly over a minute. */
  perMinute: number
  /** How many proxies in front are believed about where a request comes from. */
  trustedProxies: number
  /** Milliseconds that never go back. */
  now?(): number
}

/** The key for the origin of a request. */
export type Origin = Pick<HttpRequest, 'address' | 'header'>

/** Limits failed authentication per network. Valid credentials are accepted all the same. */
export interface AuthThrottle {
  /**
   * Before a credential is looked up. Throws rate_limited where its network is over the limit and the
   * credential is missing, can't be good by its form, or is new while too many new ones are tried.
   */
  check(request: Origin, credential: string | undefined, isFormOk: FormCheck): void
  /** Has its network failed so often that new credentials are hardly looked at? */
  isOver(request: Origin): boolean
  /** After it turned out wrong. Counts that; gives rate_limited to throw where it was one too many. */
  fail(request: Origin, credential: string | undefined): ToolError | undefined
  /** After it turned out good. */
  pass(request: Origin, credential: string): void
  /** Both around `look`, for what is used once; an error with the code `wrong` is a failure. */
  guard<T>(request: Origin, attempt: Attempt, look: () => Promise<T>): Promise<T>
}

export type FormCheck = (credential: string) => boolean

export interface Attempt {
  credential: string
  isFormOk: FormCheck
  wrong: ErrorCode
}

/** Our own keys carry a checksum: text with a wrong one cannot be a key, so no lookup is needed. */
export function isKeyForm(token: string): boolean {
  return parseApiKey(token) !== undefined
}

/** Sign-ins, sign-in links, invitations and the state of a sign-in elsewhere. */
export function isOneTimeForm(token: string): boolean {
  return /^[\w-]{43}$/.test(token)
}

/** A link or an invitation that somebody opens. */
export function linkAttempt(token: string): Attempt {
  return { credential: token, isFormOk: isOneTimeForm, wrong: 'sign_in_failed' }
}

/** Counts failures in memory, on each node by itself. While nobody fails it costs good requests nothing. */
export function createAuthThrottle(options: AuthThrottleOptions): AuthThrottle {
  const { perMinute, trustedProxies, now = () => performance.now() } = options
  // Undefined where there is no socket: then nothing is counted.
  const addressOf = (request: Origin) => clientAddress(request, trustedProxies)
  const failures = createFailures(perMinute, now)
  const known = createLastingNames(knownAtMost)
  const takeSpare = createSpareLooks(now)
  function findNetwork(request: Origin): string | undefined {
    const address = failures.isEmpty() ? undefined : addressOf(request)
    return address === undefined ? undefined : networkOf(address)
  }
  function waitOf(request: Origin): number {
    const network = findNetwork(request)
    return network === undefined ? 0 : failures.waitOf(network)
  }
  function isKnown(credential: string): boolean {
    return (known.get(nameOf(credential)) ?? 0) > now()
  }
  const throttle: AuthThrottle = {
    check(request, credential, isFormOk) {
      const waitMs = waitOf(request)
      if (waitMs === 0) return
      const mayBeGood = credential !== undefined && isFormOk(credential)
      if (!mayBeGood || !(isKnown(credential) || takeSpare())) throw tooManyFailures(waitMs)
    },
    isOver: (request) => waitOf(request) > 0,
    fail(request, credential) {
      if (credential !== undefined) known.delete(nameOf(credential))
      const address = addressOf(request)
      const waitMs = address === undefined ? 0 : failures.add(networkOf(address))
      return waitMs === 0 ? undefined : tooManyFailures(waitMs)
    },
    pass(request, credential) {
      const network = findNetwork(request)
      if (network === undefined || !failures.has(network)) return
      known.set(nameOf(credential), now() + knownMs)
    },
    async guard(request, { credential, isFormOk, wrong }, look) {
      throttle.check(request, credential, isFormOk)
      try {
        return await look()
      } catch (error) {
        if (!isToolError(error) || error.code !== wrong) throw error
        throw throttle.fail(request, credential) ?? error
      }
    },
  }
  return throttle
}

/** How much each network may still fail: a bucket that fills up evenly, kept as the moment it is full. */
function createFailures(perMinute: number, now: () => number) {
  const stepMs = 60_000 / perMinute
  const fullAt = createLastingNames(networksAtMost)
  /** How long until one more failure has room; 0 where it has now. */
  function waitOf(network: string): number {
    const at = fullAt.get(network)
    if (at === undefined) return 0
    if (at <= now()) fullAt.delete(network)
    return Math.max(0, at - now() - (60_000 - stepMs))
  }
  return {
    isEmpty: () => fullAt.isEmpty(),
    has: (network: string) => fullAt.get(network) !== undefined,
    waitOf,
    /** Counts one more, or gives the time to wait where there is no room for it. */
    add(network: string): number {
      const waitMs = waitOf(network)
      if (waitMs === 0) fullAt.set(network, Math.max(fullAt.get(network) ?? 0, now()) + stepMs)
      return waitMs
    },
  }
}

/** A moment for each name. Of too many the one that was set longest ago goes. */
function createLastingNames(atMost: number) {
  const moments = new Map<string, number>()
  return {
    isEmpty: () => moments.size === 0,
    get: (name: string) => moments.get(name),
    delete: (name: string) => moments.delete(name),
    set(name: string, moment: number) {
      moments.delete(name)
      moments.set(name, moment)
      if (moments.size > atMost) moments.delete(moments.keys().next().value ?? '')
    },
  }
}

/** True so many times a second, all of them at once if need be. */
function createSpareLooks(now: () => number): () => boolean {
  let lastAt = -Infinity
  return function takeSpare() {
    const next = Math.max(lastAt, now() - 1_000) + 1_000 / sparePerSecond
    if (next > now()) return false
    lastAt = next
    return true
  }
}

/** Credentials themselves are not kept. */
function nameOf(credential: string): string {
  return hash('sha256', credential, 'base64')
}

function tooManyFailures(waitMs: number): ToolError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  return new ToolError('rate_limited', 'Too many requests from your address failed to sign in', {
    fix: `Check the key, token or cookie that is sent, and try again in ${seconds} s.`,
    details: { retryAfterMs: seconds * 1000 },
  })
}
