import { z } from 'zod'
import type { Caller } from '../kernel/call.ts'
import { ToolError } from '../kernel/errors.ts'
import { isShortText, maxShortChars } from '../kernel/text/short-text.ts'
import type {
  ApiOf,
  Operation,
  OperationTable,
  PathFields,
  RequestOptions,
  RequestOrigin,
} from './operation.ts'
import { parseWith } from './parse-with.ts'
import { requireNeeds, requireUnbound } from './require-permission.ts'

/** A request for an operation as a door received it, unchecked. */
export interface OperationRequest extends RequestOptions {
  params?: Readonly<Record<string, unknown>>
  query?: unknown
  body?: unknown
  /** The door answers after this time. */
  maxWaitSeconds?: number
  /** Absent for the library. */
  origin?: () => RequestOrigin
}

/** An operation with its parts. */
export interface OpenOperation {
  /** Checks the caller's permissions, parses the request, and runs. */
  run(caller: Caller, request: OperationRequest): Promise<unknown>
}

/** Binds the operations of a feature to their parts. */
export function openOperations<Parts>(
  table: OperationTable<Parts>,
  parts: Parts,
): Record<string, OpenOperation> {
  return Object.fromEntries(
    Object.entries(table).map(([name, operation]) => [
      name,
      { run: (caller, request) => run(operation, parts, { caller, request }) },
    ]),
  )
}

/** The same operations as library methods, which take all fields in one object. */
export function toApi<Table extends OperationTable<never>>(
  table: Table,
  opened: Readonly<Record<string, OpenOperation>>,
): ApiOf<Table> {
  const methods = Object.entries(table).map(([name, operation]) => [
    name,
    async (
      caller: Caller,
      input: Readonly<Record<string, unknown>> = {},
      options: RequestOptions = {},
    ) => opened[name]?.run(caller, { ...toRequest(operation, input), ...options }),
  ])
  return Object.fromEntries(methods) as ApiOf<Table>
}

async function run<Parts>(
  operation: Operation<Parts>,
  parts: Parts,
  { caller, request }: { caller: Caller; request: OperationRequest },
): Promise<unknown> {
  // First of all: who may not ask learns nothing about what would be asked well.
  if (operation.agents === 'none') requireUnbound(caller)
  requireNeeds(caller, operation.needs)
  const params = readParams(operation, request.params)
  const query = operation.query && parseWith(operation.query, request.query ?? {}, 'query')
  const given = request.body === undefined && operation.isBodyOptional ? {} : request.body
  const body = operation.body && parseWith(operation.body, given, 'body')
  assertAgree(query, body)
  const input = Object.assign({}, query, body, params)
  const { origin, maxWaitSeconds, respondAsync, idempotencyKey } = request
  return operation.run(input as never, {
    caller,
    parts,
    origin,
    maxWaitSeconds,
    respondAsync,
    idempotencyKey,
    // Created only for callers that wait, because it is expensive.
    get signal() {
      return request.signal
    },
  })
}

/** A field may be in the query or in the body; if in both, the values must be equal. */
function assertAgree(query: unknown = {}, body: unknown = {}): void {
  const inBody = new Map(Object.entries(body as object))
  for (const [name, value] of Object.entries(query as object)) {
    if (value === undefined || (inBody.get(name) ?? value) === value) continue
    throw new ToolError('invalid_request', `The query and the body differ in ${name}`, {
      fix: `Pass ${name} in one of them.`,
    })
  }
}

/** An impossible id or name is not found; the error reveals no more. */
function readParams(
  { params, path, hasChosenName, unknownAs = 'not_found' }: Operation,
  given: OperationRequest['params'] = {},
): Record<string, string> {
  const entries = Object.entries(params).map(([name, field]): [string, string] => {
    const value = given[name]
    if (isPathText(value, field)) return [name, value]
    if (hasChosenName)
      throw new ToolError(
        'invalid_request',
        `The ${name} must have 1 to ${maxShortChars} printable characters`,
      )
    throw new ToolError(unknownAs, `There is nothing with this ${name}`, {
      fix: `The API description lists the parameters of ${path}.`,
    })
  })
  return Object.fromEntries(entries)
}

function isPathText(value: unknown, field: PathFields[string]): value is string {
  if (typeof field === 'string') return isShortText(value)
  return typeof value === 'string' && value !== '' && value.length <= field.maxChars
}

/** The request equivalent to a library method's input. */
export function toRequest(
  { params, query, body }: Operation,
  input: Readonly<Record<string, unknown>>,
): OperationRequest {
  const inQuery = query instanceof z.ZodObject ? Object.keys(query.shape) : []
  const pick = (isIn: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(input).filter(([name]) => isIn(name)))
  const isParam = (name: string) => Object.hasOwn(params, name)
  const isQuery = (name: string) => inQuery.includes(name)
  const rest = pick((name) => !isParam(name) && !isQuery(name))
  return {
    params: pick(isParam),
    // Without a body all other fields go to the query, which refuses unknown ones.
    query: { ...pick(isQuery), ...(body === undefined && rest) },
    body: rest,
  }
}
