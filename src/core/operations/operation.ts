import type { z } from 'zod'
import type { Caller } from '../kernel/call.ts'
import type { ErrorCode } from '../kernel/errors.ts'
import type { PermissionName } from '../policy/roles.ts'
import type { Visitor } from '../sign-in/sign-in.ts'

/**
 * The access of a caller that is bound to an agent, whatever its permissions: `none` refuses it;
 * `own` reaches only things of that agent, anything else is not found; `open` reveals nothing about
 * other agents and does nothing to them.
 */
export type AgentBound = 'none' | 'own' | 'open'

/**
 * The permission a caller must hold: this one, one of several, or all of several. `signed-in`
 * admits every caller, so `run` must show and change only the caller's own things.
 */
export type Needs =
  | PermissionName
  | 'signed-in'
  | { oneOf: readonly PermissionName[] }
  | { all: readonly PermissionName[] }

export type OperationMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A name chosen by others: any characters, and a greater length than ours. */
export interface ForeignName {
  description: string
  maxChars: number
}

/** The path parameters, with descriptions. */
export type PathFields = Readonly<Record<string, string | ForeignName>>

/**
 * The response of an operation: the HTTP status, its description, and its schema unless it is
 * empty.
 */
export interface OperationAnswer {
  status: 200 | 201 | 202 | 204
  description: string
  schema?: z.ZodType
  stream?: AnswerStream
  /** Response headers, with descriptions. */
  headers?: Readonly<Record<string, string>>
  /** The description of a 202 with the same schema, for a caller who does not want to wait. */
  whenAsync?: string
}

/** A streamed response. Each door writes it in its own format. */
export interface AnswerStream {
  /** Its possible media types. */
  readonly types: readonly string[]
  /** The schema of each item; absent for bytes. */
  readonly item?: z.ZodType
}

/**
 * The origin of a request, and the address of this server that it used. A library call has none.
 */
export interface RequestOrigin {
  /** The public address of this server. */
  url: string
  visitor: Visitor
}

/** Options besides the input. */
export interface RequestOptions {
  /** Aborts when nobody waits for the answer any more. */
  signal?: AbortSignal
  /** Answer as soon as the work is stored (`Prefer: respond-async`). */
  respondAsync?: boolean
  /** The caller's own name for this request (`Idempotency-Key`): asking again with it repeats nothing. */
  idempotencyKey?: string | undefined
}

/** The second argument of `run`. */
export interface OperationContext<Parts> extends RequestOptions {
  caller: Caller
  parts: Parts
  /** The door answers after this time; the library waits as long as requested. */
  maxWaitSeconds?: number | undefined
  /** Absent for a library call. */
  origin?: (() => RequestOrigin) | undefined
}

/**
 * One thing a door can ask for. The HTTP route with its description, the library method, the request
 * and options of its command and the permission check all come from this object.
 */
export interface Operation<Parts = never, Input = never, Output = unknown> {
  readonly method: OperationMethod
  readonly path: `/api/v1/${string}`
  /** The heading that lists it in the API description. */
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly needs: Needs
  readonly agents: AgentBound
  readonly params: PathFields
  /**
   * The path has a name that callers choose: a malformed one is an invalid request, not a missing
   * resource.
   */
  readonly hasChosenName?: boolean
  /** The error code for a path parameter that can't be a name or id; default `not_found`. */
  readonly unknownAs?: ErrorCode
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** A missing body counts as `{}`. */
  readonly isBodyOptional?: boolean
  /** It takes an `Idempotency-Key`, which does this. */
  readonly idempotencyKey?: string
  /** The HTTP door has a hand-written route for it, because it transfers bytes. */
  readonly isServedByHand?: boolean
  readonly answer: OperationAnswer
  /** Errors in the description in addition to those of every operation, by HTTP status. */
  readonly refusals?: Readonly<Record<number, string>>
  /** The input merges the fields of path, query and body. */
  run(input: Input, context: OperationContext<Parts>): Promise<Output>
}

/**
 * The argument of `defineOperation`: the same, with the route as one text and types inferred from
 * the schemas.
 */
export interface OperationDefinition<
  Parts,
  P extends object,
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends z.ZodType,
> extends Pick<
  Operation,
  | 'summary'
  | 'description'
  | 'needs'
  | 'agents'
  | 'isBodyOptional'
  | 'idempotencyKey'
  | 'hasChosenName'
  | 'unknownAs'
  | 'isServedByHand'
  | 'refusals'
> {
  http: `${OperationMethod} /api/v1/${string}`
  params?: P & PathFields
  query?: Q
  body?: B
  /** The schema of the response, or its description; by default a plain 204. */
  answer?: Omit<OperationAnswer, 'status' | 'schema'> & { status?: 200 | 201 | 202; schema: A }
  run(
    input: Fields<P> & z.output<Q> & z.output<B>,
    context: OperationContext<Parts>,
  ): Promise<z.output<A>>
}

type Fields<P> = { [name in keyof P]: string }
type NoFields = object
type NoSchema = z.ZodType<object, object>
type NoAnswer = z.ZodType<void>

/**
 * Defines the operations of one feature: the heading that lists them, and the parts passed to
 * `run`.
 */
export function operationsOf<Parts>(tag: string) {
  return function defineOperation<
    const P extends object = NoFields,
    Q extends z.ZodType = NoSchema,
    B extends z.ZodType = NoSchema,
    A extends z.ZodType = NoAnswer,
  >(
    definition: OperationDefinition<Parts, P, Q, B, A>,
  ): Operation<Parts, Fields<P> & z.input<Q> & z.input<B>, z.output<A>> {
    const { http, params = {}, answer, ...rest } = definition
    const [method, path] = http.split(' ') as [OperationMethod, Operation['path']]
    return {
      ...rest,
      method,
      path,
      tag,
      params,
      answer:
        answer === undefined
          ? { status: 204, description: 'Done' }
          : { ...answer, status: answer.status ?? 200 },
      // Doors pass parsed input; the difference is only visible to the compiler.
      run: definition.run as never,
    }
  }
}

/** Operations by the name of their library method. */
export type OperationTable<Parts> = Readonly<Record<string, Operation<Parts>>>

/** The library methods of a table of operations. */
export type ApiOf<Table> = {
  readonly [name in keyof Table]: Table[name] extends Operation<never, infer Input, infer Output>
    ? ApiMethod<Input, Output>
    : never
}

type ApiMethod<Input, Output> = object extends Input
  ? (caller: Caller, input?: Input, options?: RequestOptions) => Promise<Output>
  : (caller: Caller, input: Input, options?: RequestOptions) => Promise<Output>
