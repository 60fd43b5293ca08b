import { isToolError, ToolError } from '../kernel/errors.ts'
import type { JsonSchema, ValueParser } from '../kernel/tool.ts'
import type { SchemaLike } from './schema-like.ts'
import { toJsonSchema } from './to-json-schema.ts'
import { toInputParser } from './to-parser.ts'
import { invalidTool } from './tool-definition.ts'

/** The options that an operator may set for a tool: the schema, and its parser. */
export interface ToolOptions {
  optionsSchema: JsonSchema | undefined
  parseOptions: ValueParser
}

const noOptions: ToolOptions = {
  optionsSchema: undefined,
  parseOptions: (value) => {
    const isEmpty = value === undefined || Object.keys(value as object).length === 0
    if (isEmpty) return { ok: true, value: {} }
    return { ok: false, issues: [{ path: '', message: 'the tool has no options' }] }
  },
}

/**
 * The options of a tool. Operators need not set any, so each needs a default or must be optional;
 * throws `invalid_tool` if one does not, `invalid_schema` for an unusable schema.
 */
export function toToolOptions(name: string, schema: SchemaLike | undefined): ToolOptions {
  if (schema === undefined) return noOptions
  const optionsSchema = convert(name, schema)
  const parseOptions = toInputParser(schema, optionsSchema)
  const empty = parseOptions({})
  if (empty.ok) return { optionsSchema, parseOptions }
  const issues = empty.issues.map(({ path, message }) => ({
    path: `/optionsSchema${path}`,
    message: `${message}; give every option a default`,
  }))
  throw invalidTool(name, issues)
}

function convert(name: string, schema: SchemaLike): JsonSchema {
  try {
    return toJsonSchema(schema, 'input')
  } catch (error) {
    if (!isToolError(error)) throw error
    const issues = error.issues.map((issue) => ({ ...issue, path: `/optionsSchema${issue.path}` }))
    throw new ToolError('invalid_schema', `Tool ${name}, optionsSchema: ${error.message}`, {
      issues,
      cause: error,
    })
  }
}
