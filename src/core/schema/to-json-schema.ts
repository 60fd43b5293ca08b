import { z } from 'zod'
import { isToolError, ToolError } from '../kernel/errors.ts'
import type { JsonSchema } from '../kernel/tool.ts'
import { checkBounds, invalidSchema, schemaBounds } from './document/check-bounds.ts'
import { freezeJson } from '../kernel/json/freeze-json.ts'
import { toPointer } from '../kernel/json/json-pointer.ts'
import { isRecord } from '../kernel/json/json-type.ts'
import {
  isStandardSchema,
  type SchemaLike,
  type SchemaSide,
  type StandardSchema,
} from './schema-like.ts'
import { toDraft2020 } from './document/to-draft-2020.ts'
import { trimZodSchema } from './document/trim-zod-schema.ts'

const converted = new WeakMap<object, Partial<Record<SchemaSide, JsonSchema>>>()

/**
 * Converts any schema to plain, bounded JSON Schema 2020-12; frozen. The root of an input is an
 * object. Throws `invalid_schema` with the place of anything that JSON Schema can't express or that
 * exceeds a limit. The same schema object gives the same result object, so that anything compiled
 * from it can be cached.
 */
export function toJsonSchema(schema: SchemaLike, side: SchemaSide): JsonSchema {
  if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null) {
    throw invalidSchema({ path: '', message: 'must be a zod schema or a JSON Schema object' })
  }
  const known = converted.get(schema)?.[side]
  if (known) return known
  const json = freezeJson(convert(schema, side))
  converted.set(schema, { ...converted.get(schema), [side]: json })
  // A result passed in again needs no conversion.
  converted.set(json, { input: json, output: json })
  return json
}

function convert(schema: SchemaLike, side: SchemaSide): JsonSchema {
  const plain = isStandardSchema(schema) ? fromStandard(schema, side) : toDraft2020(toPlain(schema))
  const root = side === 'input' ? toObjectRoot(plain) : toOutputRoot(plain)
  checkBounds(root)
  return root
}

function fromStandard(schema: StandardSchema, side: SchemaSide): JsonSchema {
  if ('_zod' in schema) return fromZod(schema as unknown as z.core.$ZodType, side)
  const { jsonSchema, vendor } = schema['~standard']
  if (jsonSchema === undefined) {
    const message = `comes from ${vendor}, which offers no JSON Schema; use zod 4, a library with Standard JSON Schema, or write JSON Schema`
    throw invalidSchema({ path: '', message })
  }
  try {
    return toPlain(jsonSchema[side]({ target: 'draft-2020-12' }))
  } catch (error) {
    if (isToolError(error)) throw error
    throw invalidSchema(
      { path: '', message: `can't be expressed in JSON Schema: ${String(error)}` },
      error,
    )
  }
}

function fromZod(schema: z.core.$ZodType, side: SchemaSide): JsonSchema {
  try {
    const json = z.toJSONSchema(schema, {
      io: side,
      unrepresentable: ({ zodSchema: { _zod: internals }, path }) => {
        throw invalidSchema({
          path: toPointer(path),
          message: toWayOut(internals.def.type, side),
        })
      },
    })
    return trimZodSchema(toPlain(json))
  } catch (error) {
    if (error instanceof ToolError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw invalidSchema(
      { path: '', message: `can't be expressed in JSON Schema: ${reason}` },
      error,
    )
  }
}

const waysOut: Readonly<Record<string, string>> = {
  date: 'use z.iso.datetime() or z.iso.date() and create the Date in execute',
  bigint: 'use z.int() or a string of digits',
  map: 'use an array of { key, value }',
  set: 'use an array',
  undefined: 'use .nullable() and null',
  transform: 'declare the output type: .transform(…).pipe(z.…)',
}

function toWayOut(type: string, side: SchemaSide): string {
  const wayOut = waysOut[type] ?? 'use a type that JSON has'
  return `is a ${type} of zod, which can't be expressed in JSON Schema on the ${side} side; ${wayOut}`
}

/**
 * Through JSON and back: zod hides a `~standard` on its result that confuses other code, and
 * authors share objects.
 */
function toPlain(schema: object): JsonSchema {
  try {
    const text = JSON.stringify(schema, countingReplacer())
    const plain: unknown = JSON.parse(text)
    if (isRecord(plain)) return plain
  } catch (error) {
    if (isToolError(error)) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw invalidSchema({ path: '', message: `is not plain JSON: ${reason}` }, error)
  }
  throw invalidSchema({ path: '', message: 'must be an object' })
}

/**
 * Stops writing once the text is longer than any schema within the limits. A few objects that refer
 * to each other twice each are endless text: without this, forty lines of a tool's file hang the
 * server.
 */
function countingReplacer(): (key: string, value: unknown) => unknown {
  let length = 0
  return (key, value) => {
    length += key.length + 2 + (typeof value === 'string' ? value.length : 0)
    if (length <= schemaBounds.maxBytes * 4) return value
    throw invalidSchema({ path: '', message: `is far larger than ${schemaBounds.maxBytes} bytes` })
  }
}

/** An output may have any type; a list of properties means an object. */
function toOutputRoot(schema: JsonSchema): JsonSchema {
  const { $schema: _, ...rest } = schema
  return rest['type'] === undefined && isRecord(rest['properties'])
    ? { type: 'object', ...rest }
    : rest
}

/** Tools take objects: the only root that every provider, MCP and a form can show. */
function toObjectRoot(schema: JsonSchema): JsonSchema {
  const { $schema: _, ...rest } = schema
  if (rest['type'] === 'object') return rest
  if (rest['type'] === undefined && isRecord(rest['properties'])) return { type: 'object', ...rest }
  const message = 'must be of type object; put other values, and unions, into one of its properties'
  throw invalidSchema({ path: '', message })
}
