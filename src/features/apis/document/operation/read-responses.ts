import { checkBounds } from '../../../../core/schema/document/check-bounds.ts'
import type { Json, JsonObject } from '../../model.ts'
import type { References } from '../references.ts'
import { createSchemaWriter } from '../schema/write-schema.ts'
import { memberOf, recordIn, textsIn } from '../values.ts'
import { pickMedia } from './read-body.ts'

/** The successful responses of an operation. */
export interface FoundResponses {
  /** Absent where a document does not say, or where an answer is a file. */
  schema: JsonObject | undefined
  accept: string[]
}

/** Reads the responses with a status of success; without one, the one for every other status. */
export function readResponses(
  operation: JsonObject,
  produces: readonly string[],
  references: References,
): FoundResponses {
  const responses = Object.entries(recordIn(operation, 'responses'))
  const successes = responses.filter(([status]) => /^2(?:\d\d|xx)$/i.test(status))
  const used =
    successes.length > 0 ? successes : responses.filter(([status]) => status === 'default')
  const writer = createSchemaWriter(references, 'output')
  const schemas: JsonObject[] = []
  const accept = new Set<string>()
  let isUnknown = used.length === 0
  for (const [status, given] of used) {
    const response = references.follow(given)
    const found = contentOf(response, produces)
    for (const type of found.types) accept.add(type)
    if (status === '204' || status === '205' || found.isEmpty) schemas.push({ type: 'null' })
    else if (found.schema === undefined) isUnknown = true
    else schemas.push(writer.write(found.schema))
  }
  const schema = isUnknown ? undefined : join(schemas, writer.definitions())
  return { schema, accept: [...accept].slice(0, 10) }
}

interface Content {
  types: string[]
  /** Of JSON; absent for all other content. */
  schema: Json | undefined
  isEmpty: boolean
}

function contentOf(response: JsonObject | undefined, produces: readonly string[]): Content {
  const own = memberOf(response, 'schema')
  if (own !== undefined) {
    const types = produces.length > 0 ? [...produces] : ['application/json']
    const isFile = memberOf(own, 'type') === 'file'
    return { types, schema: types.some(isJson) && !isFile ? own : undefined, isEmpty: false }
  }
  const content = Object.entries(recordIn(response, 'content'))
  const [type = '', media] = pickMedia(content) ?? []
  return {
    types: content.map(([name]) => name),
    schema: isJson(type) ? memberOf(media, 'schema') : undefined,
    isEmpty: content.length === 0,
  }
}

function isJson(type: string): boolean {
  return /[/+]json\b/i.test(type)
}

/** A schema that exceeds the bounds of a tool is omitted: it only describes. */
function join(schemas: readonly JsonObject[], definitions: JsonObject): JsonObject | undefined {
  const different = [...new Map(schemas.map((one) => [JSON.stringify(one), one])).values()]
  const [first] = different
  if (first === undefined) return undefined
  const whole = different.length === 1 ? first : { anyOf: different }
  const hasDefinitions = Object.keys(definitions).length > 0
  const schema = hasDefinitions ? { ...whole, $defs: definitions } : whole
  try {
    checkBounds(schema)
    return Object.keys(whole).length > 0 ? schema : undefined
  } catch {
    return undefined
  }
}

/** The media types of Swagger 2, of an operation or of its document. */
export function mediaTypes(operation: JsonObject, root: JsonObject, key: string): string[] {
  const own = textsIn(operation, key)
  return own.length > 0 ? own : textsIn(root, key)
}
