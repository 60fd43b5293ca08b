/** Of an OpenAPI document what is needed to ask. */
export interface ApiDocument {
  paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>
  components: { schemas: Readonly<Record<string, Schema>> }
}

interface ApiOperation {
  parameters?: readonly { name: string; in: string; schema?: Schema }[]
  requestBody?: { content: Readonly<Record<string, { schema?: Schema }>> }
}

interface Schema {
  $ref?: string
  type?: string | readonly string[]
  enum?: readonly unknown[]
  const?: unknown
  minimum?: number
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  additionalProperties?: Schema | boolean
  items?: Schema
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  allOf?: readonly Schema[]
}

interface Wish {
  path: string
  operation: ApiOperation
  /** Every text of the request is this one. */
  name: string
  /** With all that may be left out. */
  isFull: boolean
}

/** A request that an operation describes, with one name wherever a text may stand. */
export function toSample(document: ApiDocument, { path, operation, name, isFull }: Wish) {
  const maker: Maker = { document, name, isFull }
  const queries = (operation.parameters ?? []).filter((one) => one.in === 'query' && isFull)
  const search = new URLSearchParams(
    queries.map((one): [string, string] => [one.name, String(fill(maker, one.schema ?? {}, 0))]),
  )
  // A stream or a wait has no end to look at.
  for (const endless of ['wait', 'follow']) search.delete(endless)
  const schema = operation.requestBody?.content['application/json']?.schema
  return {
    path: `${path.replaceAll(/\{\w+\}/g, encodeURIComponent(name))}${search.size > 0 ? `?${search.toString()}` : ''}`,
    body: schema === undefined ? undefined : fill(maker, schema, 0),
  }
}

type Maker = { document: ApiDocument } & Pick<Wish, 'name' | 'isFull'>

const deepest = 6

function fill(maker: Maker, schema: Schema, depth: number): unknown {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? ''
    return fill(maker, maker.document.components.schemas[name] ?? {}, depth)
  }
  const fixed = schema.const ?? schema.enum?.[0]
  if (fixed !== undefined) return fixed
  const chosen = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])][0]
  return chosen === undefined ? fillType(maker, schema, depth) : fill(maker, chosen, depth)
}

function fillType(maker: Maker, schema: Schema, depth: number): unknown {
  const type = [schema.type].flat()[0]
  if (schema.allOf !== undefined) return fillObject(maker, schema, depth)
  switch (type) {
    case 'number':
    case 'integer':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    case 'array':
      return depth > deepest ? [] : [fill(maker, schema.items ?? {}, depth + 1)]
    case 'object':
      return fillObject(maker, schema, depth)
    default:
      return maker.name
  }
}

function fillObject(maker: Maker, schema: Schema, depth: number): unknown {
  const parts = (schema.allOf ?? []).map((part) => fill(maker, part, depth))
  const named = Object.entries(schema.properties ?? {})
    .filter(([key]) => maker.isFull || schema.required?.includes(key) === true)
    .map(([key, inner]) => [key, depth > deepest ? null : fill(maker, inner, depth + 1)] as const)
  const { additionalProperties: others } = schema
  const free = typeof others === 'object' ? [[maker.name, fill(maker, others, depth + 1)]] : []
  // Entries define what they name, `__proto__` too; an assignment would not.
  return Object.fromEntries([
    ...parts.flatMap((part) => Object.entries(part as object)),
    ...named,
    ...free,
  ])
}
