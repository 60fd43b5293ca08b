import type { z } from 'zod'
import type { Caller } from '../kernel/call.ts'
import type { ErrorCode } from '../kernel/errors.ts'
import type { PermissionName } from '../policy/roles.ts'
import type { Visitor } from '../sign-in/sign-in.ts'

/**
 * What a caller that is bound to an agent gets of an operation, whatever it holds:
 * `none` refuses it; `own` reaches what belongs to the agent, the rest answers as if it were not
 * there; `open` reveals nothing of other agents and does nothing to them.
 */
export type AgentBound = 'none' | 'own' | 'open'

/**
 * The permission a caller must hold: this one, one of several, or all of several. `signed-in` lets
 * every caller ask, so `run` must show and change only what is the caller's own.
 */
export type Needs =
  | PermissionName
  | 'signed-in'
  | { oneOf: readonly PermissionName[] }
  | { all: readonly PermissionName[] }

export type OperationMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A name that others chose: it may have any characters, and more of them than ours. */
export interface ForeignName {
  description: string
  maxChars: number
}

/** The fields of a path, with what they mean. */
export type PathFields = Readonly<Record<string, string | ForeignName>>

/** What an operation answers with: the HTTP status, what it means, and its shape unless it is empty. */
export interface OperationAnswer {
  status: 200 | 201 | 202 | 204
  description: string
  schema?: z.ZodType
  stream?: AnswerStream
  /** Headers of the answer, with what they say. */
  headers?: Readonly<Record<string, string>>
  /** Said of a 202 with the same shape: a caller who does not want to wait gets it at once. */
  whenAsync?: string
}

/** An answer that is sent while it is made. Each door writes it in its own way. */
export interface AnswerStream {
  /** Media types it may have. */
  readonly types: readonly string[]
  /** The shape of each item; none for bytes. */
  readonly item?: z.ZodType
}

/** Where a request came from, and at which address of ours it arrived. A library call has none. */
export interface RequestOrigin {
  /** The address of this server, as people use it. */
  url: string
  visitor: Visitor
}

/** What may be said along with an input. */
export interface RequestOptions {
  /** Aborts when nobody waits for the answer any more. */
  signal?: AbortSignal
  /** Answer as soon as the work is stored (`Prefer: respond-async`). */
  respondAsync?: boolean
  /** The caller's own name for this request (`Idempotency-Key`): asking again with it repeats nothing. */
  idempotencyKey?: string | undefined
}

/** What `run` gets beside its input. */
export interface OperationContext<Parts> extends RequestOptions {
  caller: Caller
  parts: Parts
  /** The door answers after so long; the library waits as long as it is told. */
  maxWaitSeconds?: number | undefined
  /** Absent for a call of the library. */
  origin?: (() => RequestOrigin) | undefined
}

/**
 * One thing a door can ask for. The HTTP route with its description, the library method, the request
 * and options of its command and the permission check all come from this object.
 */
export interface Operation<Parts = never, Input = never, Output = unknown> {
  readonly method: OperationMethod
  readonly path: `/api/v1/${string}`
  /** The heading under which the API description lists it. */
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly needs: Needs
  readonly agents: AgentBound
  readonly params: PathFields
  /** The path takes a name that callers choose: a malformed one is an invalid request, not a missing thing. */
  readonly hasChosenName?: boolean
  /** The code for a path that can't name anything; `not_found` unless set. */
  readonly unknownAs?: ErrorCode
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** An absent body counts as `{}`. */
  readonly isBodyOptional?: boolean
  /** It takes an `Idempotency-Key`, which does this. */
  readonly idempotencyKey?: string
  /** The HTTP door has a route of its own for it, because it takes or gives bytes. */
  readonly isServedByHand?: boolean
  readonly answer: OperationAnswer
  /** Errors that the description names beside those of every operation, by HTTP status. */
  readonly refusals?: Readonly<Record<number, string>>
  /** The input holds the fields of path, query and body together. */
  run(input: Input, context: OperationContext<Parts>): Promise<Output>
}

/** What `defineOperation` takes: the same, with the route in one text and types that follow from the schemas. */
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
  /** The schema of the answer, or what there is to say beside it; a plain 204 when left out. */
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

/** Starts the operations of one feature: the heading they are listed under, and the parts that their runs get. */
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
      // Doors hand in what was parsed; only the compiler sees the difference to what is passed.
      run: definition.run as never,
    }
  }
}

/** Operations by the name of their library method. */
export type OperationTable<Parts> = Readonly<Record<string, Operation<Parts>>>

/** The library methods that a table of operations gives. */
export type ApiOf<Table> = {
  readonly [name in keyof Table]: Table[name] extends Operation<never, infer Input, infer Output>
    ? ApiMethod<Input, Output>
    : never
}

type ApiMethod<Input, Output> = object extends Input
  ? (caller: Caller, input?: Input, options?: RequestOptions) => Promise<Output>
  : (caller: Caller, input: Input, options?: RequestOptions) => Promise<Output>
