import type { Tool } from '@modelcontextprotocol/server'
import type { CallResult } from '../../../core/kernel/call.ts'
import type { OfferedTool } from '../../../core/offer/tool-offer.ts'
import { compileValidator } from '../../../core/schema/compile-validator.ts'
import { mapSubschemas } from '../../../core/schema/document/map-subschemas.ts'
import type { JsonSchema, JsonValue } from '../../../core/kernel/tool.ts'

/** Protocol revisions differ in what a schema may be. */
export type McpEra = 'modern' | 'legacy'

/** The structured output of a tool as MCP clients see it. */
export interface McpOutput {
  /**
   * The published schema. Clients check every answer against it and discard one that does not
   * match.
   */
  readonly schema: NonNullable<Tool['outputSchema']>
  /** Takes a note in place of an output, too: see `toNote`. */
  readonly takesNotes: boolean
  fits(output: JsonValue): boolean
  toStructured(output: JsonValue): JsonValue
}

type Shown = Pick<OfferedTool, 'outputSchema' | 'effect'>

const outputs = new WeakMap<Shown, Partial<Record<McpEra, McpOutput>>>()

/** How a tool's output is shown; undefined where it promises none. Made once per tool. */
export function mcpOutput(tool: Shown, era: McpEra): McpOutput | undefined {
  const { outputSchema } = tool
  if (outputSchema === undefined) return undefined
  const known = outputs.get(tool) ?? {}
  outputs.set(tool, known)
  return (known[era] ??= createScope(outputSchema, { era, takesNotes: tool.effect !== 'read' }))
}

/**
 * Replaces an output that does not match its published schema with the call's status. As an error,
 * the model would take a finished effect for failed and repeat it.
 */
export function toNote({ callId, status }: CallResult, note: string): JsonValue {
  return { toolcrib: { ...(callId !== undefined && { callId }), status, note } }
}

const noteSchema: JsonSchema = {
  type: 'object',
  description: 'In place of an output: what became of the call. The text content has the rest.',
  properties: {
    toolcrib: {
      type: 'object',
      properties: {
        callId: { type: 'string' },
        status: { type: 'string' },
        note: { type: 'string' },
      },
      required: ['status', 'note'],
    },
  },
  required: ['toolcrib'],
}

function createScope(
  output: JsonSchema,
  { era, takesNotes }: { era: McpEra; takesNotes: boolean },
): McpOutput {
  // Clients of the older eras refuse a whole list if one output schema is not an object.
  const wraps = era === 'legacy' && output['type'] !== 'object'
  const shown = wraps ? wrap(output) : output
  const validate = compileValidator(output)
  return {
    schema: takesNotes ? withNotes(shown) : shown,
    takesNotes,
    fits: (value) => validate(value).length === 0,
    toStructured: (value) => (wraps ? { result: value } : value),
  }
}

function wrap(output: JsonSchema): JsonSchema {
  const { $schema, ...rest } = moveRefs(output, '/properties/result')
  return {
    ...($schema !== undefined && { $schema }),
    type: 'object',
    properties: { result: rest },
    required: ['result'],
  }
}

function withNotes(output: JsonSchema): JsonSchema {
  const { $schema, ...rest } = moveRefs(output, '/anyOf/0')
  return {
    ...($schema !== undefined && { $schema }),
    ...(output['type'] === 'object' && { type: 'object' }),
    anyOf: [rest, noteSchema],
  }
}

/** References are read from the root, so those of a schema that is put into another move with it. */
function moveRefs(schema: JsonSchema, to: string): JsonSchema {
  const moved = mapSubschemas(schema, (inner) => moveRefs(inner, to))
  const ref = schema['$ref']
  const isPointer = typeof ref === 'string' && (ref === '#' || ref.startsWith('#/'))
  return isPointer ? { ...moved, $ref: `#${to}${ref.slice(1)}` } : moved
}
