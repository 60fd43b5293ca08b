import type { Json, JsonObject, OperationBody } from '../../model.ts'
import type { References } from '../references.ts'
import { listIn, memberOf, recordIn, textIn, textsIn } from '../values.ts'
import { schemaOfSwagger } from './read-parameters.ts'

/** The body that an operation takes, in the words of OpenAPI 3. */
export interface FoundBody {
  mediaType: string
  kind: OperationBody['kind']
  isRequired: boolean
  description: string | undefined
  schema: Json
  /** By property: how its part is written. */
  encoding: JsonObject
}

/** The body of an operation in OpenAPI 3; undefined if it takes none. */
export function readBody(operation: JsonObject, references: References): FoundBody | undefined {
  const body = references.follow(operation['requestBody'])
  const found = pickMedia(Object.entries(recordIn(body, 'content')))
  if (body === undefined || found === undefined) return undefined
  const [mediaType, media] = found
  const kind = kindOf(mediaType)
  const schema = memberOf(media, 'schema') ?? (kind === 'text' ? { type: 'string' } : {})
  return {
    mediaType,
    kind,
    isRequired: body['required'] === true,
    description: textIn(body, 'description', 600),
    schema: kind === 'file' ? { type: 'string', format: 'binary' } : schema,
    encoding: recordIn(media, 'encoding'),
  }
}

/** The body of an operation in Swagger 2: one parameter, or the fields of a form. */
export function readSwaggerBody(
  parameters: readonly Json[],
  consumes: readonly string[],
  references: References,
): FoundBody | undefined {
  const all = parameters.map((one) => references.follow(one) ?? {})
  const body = all.find((one) => one['in'] === 'body')
  if (body !== undefined) {
    const [mediaType = 'application/json'] = pickMedia(consumes.map((type) => [type, {}])) ?? []
    return {
      mediaType,
      kind: kindOf(mediaType),
      isRequired: body['required'] === true,
      description: textIn(body, 'description', 600),
      schema: memberOf(body, 'schema') ?? {},
      encoding: {},
    }
  }
  const fields = all.filter((one) => one['in'] === 'formData' && typeof one['name'] === 'string')
  return fields.length > 0 ? toForm(fields, consumes) : undefined
}

function toForm(fields: readonly JsonObject[], consumes: readonly string[]): FoundBody {
  const hasFile = fields.some(({ type }) => type === 'file')
  const isMultipart = hasFile || consumes.some((type) => type.startsWith('multipart/'))
  const named = fields.map((field) => [textIn(field, 'name') ?? '', field] as const)
  const properties = named.map(([name, field]) => {
    const { description } = field
    return [name, { ...schemaOfSwagger(field), ...(description !== undefined && { description }) }]
  })
  const required = named.flatMap(([name, field]) => (field['required'] === true ? [name] : []))
  const encoding = named.flatMap(([name, { type, collectionFormat }]) =>
    type === 'array' ? [[name, { style: 'form', explode: collectionFormat === 'multi' }]] : [],
  )
  return {
    mediaType: isMultipart ? 'multipart/form-data' : 'application/x-www-form-urlencoded',
    kind: isMultipart ? 'multipart' : 'form',
    isRequired: required.length > 0,
    description: undefined,
    schema: { type: 'object', properties: Object.fromEntries(properties) as JsonObject, required },
    encoding: Object.fromEntries(encoding) as JsonObject,
  }
}

/** In the order of preference. */
const preferred: readonly RegExp[] = [
  /^application\/json\b/i,
  /[/+]json\b/i,
  /^multipart\/form-data\b/i,
  /^application\/x-www-form-urlencoded\b/i,
  /^text\//i,
]

/** The media type that is used. A wildcard means JSON. */
export function pickMedia(
  content: readonly (readonly [type: string, media: Json])[],
): readonly [type: string, media: Json] | undefined {
  for (const pattern of preferred) {
    const found = content.find(([type]) => pattern.test(type))
    if (found !== undefined) return found
  }
  const [first] = content
  return first?.[0].includes('*/*') === true ? ['application/json', first[1]] : first
}

function kindOf(mediaType: string): OperationBody['kind'] {
  if (/[/+]json\b/i.test(mediaType)) return 'json'
  if (/^multipart\//i.test(mediaType)) return 'multipart'
  if (/^application\/x-www-form-urlencoded\b/i.test(mediaType)) return 'form'
  return /^text\/|[/+]xml\b|yaml\b/i.test(mediaType) ? 'text' : 'file'
}

/** The properties of a body that is nothing but an object; undefined where it is more than that. */
export interface PlainObject {
  properties: Map<string, Json>
  required: Set<string>
}

/** Looks through references and `allOf`; a union, or an object with free keys, is not plain. */
export function toPlainObject(
  schema: Json,
  references: References,
  depth = 0,
): PlainObject | undefined {
  const source = references.follow(schema)
  if (source === undefined || depth > 8 || !isPlainObject(source)) return undefined
  const parts = listIn(source, 'allOf').map((part) => toPlainObject(part, references, depth + 1))
  const whole = parts.filter((part) => part !== undefined)
  if (whole.length < parts.length) return undefined
  const own = Object.entries(recordIn(source, 'properties'))
  return {
    properties: new Map([...whole.flatMap(({ properties }) => [...properties]), ...own]),
    required: new Set([
      ...whole.flatMap(({ required }) => [...required]),
      ...textsIn(source, 'required'),
    ]),
  }
}

function isPlainObject(source: JsonObject): boolean {
  const { type } = source
  const others = source['additionalProperties']
  const isObject = type === undefined || type === 'object'
  const isOpen = others !== undefined && others !== false
  return isObject && !isOpen && mixed.every((keyword) => source[keyword] === undefined)
}

const mixed = ['oneOf', 'anyOf', 'not', 'nullable', 'discriminator', 'patternProperties', 'if']
