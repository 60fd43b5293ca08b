import type { z } from 'zod'
import type { Caller } from '../../core/kernel/call.ts'
import type { CoreApi } from '../../core/crib-api.ts'
import type { AuthThrottle } from './request/auth-throttle.ts'
import type { HttpRequest } from './request/http-request.ts'
import type { Reply } from './reply.ts'
import type { Browser } from './request/browser.ts'
import type { StreamRegister } from './stream-register.ts'

/** Numbers that bound what one request may cost. */
export interface HttpLimits {
  maxBodyBytes: number
  /** The same for what workers outside report. */
  maxCompletionBytes: number
  /** The same for files that are handed in. */
  maxUploadBytes: number
  maxJsonDepth: number
  /** Requests of one network that may fail to authenticate in a minute before they get 429. */
  failedAuthPerMinute: number
  /** Event streams open at once, a quarter of them for one caller; each costs a connection and about 30 kB. */
  maxStreams: number
  /** Most seconds that `?wait` and `Prefer: wait` hold a request. */
  maxWaitSeconds: number
  heartbeatMs: number
  /** Bytes of output that wait for a slow reader of a call's stream, before the oldest are left out. */
  maxPendingBytes: number
}

/** The parts that every route may use. */
export interface Door {
  readonly api: CoreApi
  readonly limits: HttpLimits
  /** Resolve a read only when its record is on disk: an answered call survives a crash. */
  readonly durableReads: boolean
  readonly streams: StreamRegister
  readonly browser: Browser
  /** Bounds what wrong credentials may cost. */
  readonly throttle: AuthThrottle
  /** The address people use, where a proxy makes it another than the one requests arrive at. */
  readonly publicUrl: string | undefined
  /** May this Host header be repeated to others as a name of ours? Anybody can write one. */
  isOwnHost(host: string): boolean
  isDraining(): boolean
  /** The server is about to drain: not ready any more, and otherwise as before. */
  isWithdrawn(): boolean
}

/** One request for something that everybody may see. */
export interface DoorRequest {
  door: Door
  requestId: string
  request: HttpRequest
}

/** One request that has passed the door. */
export interface Asked<Query, Body> extends DoorRequest {
  caller: Caller
  query: Query
  body: Body
  /**
   * Throws when the key or sign-in of this request is no longer valid. For answers that stay open.
   */
  recheck(): Promise<void>
}

/** One possible answer of a route, for the description. */
export interface RouteAnswer {
  description: string
  schema?: z.ZodType
  /** When it is not `application/json`; several for an answer that follows `Accept`. */
  types?: readonly string[]
  headers?: Readonly<Record<string, string>>
}

/** A request body: the schema describes it, and reads it unless `parse` does so faster. */
export interface RouteBody<Body> {
  schema: z.ZodType<Body>
  isRequired: boolean
  parse?: (value: unknown) => Body
}

/** A route, for the description. */
export interface RouteDescription {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** With parameters in braces, as OpenAPI writes them. */
  path: `/${string}`
  tag: string
  summary: string
  description?: string
  /** Request headers it reads, with what they do. */
  headers?: Readonly<Record<string, string>>
  params?: Readonly<Record<string, string>>
  /** The type of a body that is not JSON. The route reads it itself. */
  rawBody?: string
  answers: Readonly<Record<number, RouteAnswer>>
}

/** One route of the API: what is served and what is described come from the same object. */
export interface Route<Query = unknown, Body = unknown> extends RouteDescription {
  query?: z.ZodType<Query>
  body?: RouteBody<Body>
  /** Its schemas describe query and body, which the handler reads. */
  parsesItself?: true
  // A method, so that a list can hold routes with different queries and bodies.
  handle(asked: Asked<Query, Body>): Promise<Reply> | Reply
}

/** One request at a route that decides itself whether it needs a key. */
export interface PublicRequest extends DoorRequest {
  /** The caller; throws `unauthorized` if there is none. */
  identify(): Promise<Caller>
}

/** A route that needs no key to be asked. */
export interface PublicRoute extends RouteDescription {
  /** For the description alone: it is read by the route itself, once it knows that it may. */
  body?: RouteBody<unknown>
  visit(visit: PublicRequest): Promise<Reply> | Reply
}

/** Names the query and body of a route from its schemas. */
export function defineRoute<Query, Body>(route: Route<Query, Body>): Route {
  return route
}
