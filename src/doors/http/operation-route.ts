import type { Needs, Operation, PathFields } from '../../core/operations/operation.ts'
import { toQueryObject } from './request/query-object.ts'
import { readJsonBody } from './request/request-body.ts'
import { empty, json, type Reply } from './reply.ts'
import type { RouteAnswer, Asked, Route, RouteDescription } from './route.ts'
import { parseIdempotencyKey, parsePreference } from './routes/call-request.ts'
import { shuttingDown } from './routes/call-tool.ts'

/** Writes the output of an operation that is not answered with plain JSON. */
export type OwnReply = (asked: Asked<unknown, unknown>, output: never) => Reply | Promise<Reply>

/** The route of an operation. Serving and describing it both use the operation itself. */
export function toRoute(name: string, operation: Operation, reply?: OwnReply): Route {
  const { method, path, tag, summary, params, query, body } = operation
  const { isBodyOptional, answer, idempotencyKey } = operation
  const { status, schema, whenAsync } = answer
  return {
    method: method.toLowerCase() as RouteDescription['method'],
    path,
    tag,
    summary,
    description: describe(operation),
    headers: toHeaders(operation),
    params: toDescriptions(params),
    // The operation is the one place that checks, for every door.
    parsesItself: true,
    ...(query && { query }),
    ...(body && { body: { schema: body, isRequired: isBodyOptional !== true } }),
    answers: toAnswers(operation),
    async handle(asked) {
      const { door, caller, request } = asked
      if (whenAsync !== undefined && door.isDraining()) throw shuttingDown()
      const output = await door.api.runOperation(name, caller, {
        params: Object.fromEntries(Object.keys(params).map((key) => [key, request.param(key)])),
        query: query && toQueryObject(request.url),
        body: body && (await readJsonBody(request, door.limits)),
        get signal() {
          return request.signal
        },
        maxWaitSeconds: door.limits.maxWaitSeconds,
        ...(whenAsync !== undefined && {
          respondAsync: parsePreference(request.header('prefer'), 0).respondAsync,
        }),
        ...(idempotencyKey !== undefined && {
          idempotencyKey: parseIdempotencyKey(request.header('idempotency-key')),
        }),
        origin: () => ({
          url: door.browser.addressOf(request),
          visitor: door.browser.visitor(request),
        }),
      })
      if (reply !== undefined) return reply(asked, output as never)
      return schema === undefined ? empty(status) : json(status, output)
    },
  }
}

function toHeaders({ answer, idempotencyKey }: Operation): Record<string, string> {
  return {
    ...(answer.whenAsync !== undefined && {
      Prefer: '`respond-async` answers 202 as soon as the call is stored.',
    }),
    ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
  }
}

function toAnswers({ answer, refusals = {} }: Operation): RouteDescription['answers'] {
  const { status, description, stream, headers, whenAsync } = answer
  const schema = stream === undefined ? answer.schema : stream.item
  const shape = schema && { schema }
  const answers: Record<number, RouteAnswer> = {
    [status]: {
      description,
      ...shape,
      ...(stream && { types: stream.types }),
      ...(headers && { headers }),
    },
  }
  if (whenAsync !== undefined) answers[202] = { description: whenAsync, ...shape }
  for (const [at, text] of Object.entries(refusals)) answers[Number(at)] = { description: text }
  return answers
}

function toDescriptions(params: PathFields): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, field]) => [
      name,
      typeof field === 'string' ? field : field.description,
    ]),
  )
}

function describe({ description, needs }: Operation): string | undefined {
  const sentences = [description, needs === 'signed-in' ? undefined : `Needs ${toWords(needs)}.`]
  return sentences.filter((sentence) => sentence !== undefined).join(' ') || undefined
}

function toWords(needs: Exclude<Needs, 'signed-in'>): string {
  if (typeof needs === 'string') return `\`${needs}\``
  const isAny = 'oneOf' in needs
  const names = isAny ? needs.oneOf : needs.all
  return names.map((name) => `\`${name}\``).join(isAny ? ' or ' : ' and ')
}
