import type { Needs, Operation, PathFields } from '../../core/operations/operation.ts'
import { toQueryObject } from './request/query-object.ts'
import { readJsonBody } from './request/request-body.ts'
import { empty, json, type Reply } from './reply.ts'
import type { Asked, Route, RouteDescription } from './route.ts'

/** Writes the output of an operation that is not answered with plain JSON. */
export type OwnReply = (asked: Asked<unknown, unknown>, output: never) => Reply | Promise<Reply>

/** The route of an operation. What is served and what is described come from the operation itself. */
export function toRoute(name: string, operation: Operation, reply?: OwnReply): Route {
  const { method, path, tag, summary, params, query, body } = operation
  const { isBodyOptional, answer, refusals = {} } = operation
  const { status, description, stream } = answer
  const schema = stream === undefined ? answer.schema : stream.item
  return {
    method: method.toLowerCase() as RouteDescription['method'],
    path,
    tag,
    summary,
    description: describe(operation),
    params: toDescriptions(params),
    // Whatever door asks, the operation is the one place that checks.
    parsesItself: true,
    ...(query && { query }),
    ...(body && { body: { schema: body, isRequired: isBodyOptional !== true } }),
    answers: {
      [status]: { description, ...(schema && { schema }), ...(stream && { types: stream.types }) },
      ...Object.fromEntries(
        Object.entries(refusals).map(([at, text]) => [at, { description: text }]),
      ),
    },
    async handle(asked) {
      const { door, caller, request } = asked
      const output = await door.api.runOperation(name, caller, {
        params: Object.fromEntries(Object.keys(params).map((key) => [key, request.param(key)])),
        query: query && toQueryObject(request.url),
        body: body && (await readJsonBody(request, door.limits)),
        signal: request.signal,
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
