import { isToolError, ToolError } from './kernel/errors.ts'
import { toSecretRequirement } from './secrets/requirements.ts'
import type { SchemaLike } from './schema/schema-like.ts'
import { type ToolFacts, toLabel } from './schema/tool-definition.ts'
import { toJsonSchema } from './schema/to-json-schema.ts'
import type { JsonSchema, Tool, ToolContract, UndoWay } from './kernel/tool.ts'
import type { UndoFacts } from './kernel/trial/tool-undo.ts'

type SchemaField = 'inputSchema' | 'outputSchema'

/** The plain schema of a field; errors name the tool. Output is described after transforms. */
export function convert(
  name: string,
  field: SchemaField,
  schema: SchemaLike | undefined,
): JsonSchema | undefined {
  if (schema === undefined) return undefined
  try {
    return toJsonSchema(schema, field === 'inputSchema' ? 'input' : 'output')
  } catch (error) {
    if (!isToolError(error)) throw error
    const issues = error.issues.map((issue) => ({ ...issue, path: `/${field}${issue.path}` }))
    throw new ToolError('invalid_schema', `Tool ${name}, ${field}: ${error.message}`, {
      issues,
      cause: error,
    })
  }
}

type ContractParts = Pick<
  ToolContract,
  'source' | 'inputSchema' | 'outputSchema' | 'optionsSchema' | 'icons'
> & { ways?: ToolWays }

/** The functions of a tool besides its work. */
export type ToolWays = Pick<Tool, 'preview' | 'undo'>

const dayMs = 86_400_000

export function toContract(facts: ToolFacts, parts: ContractParts): ToolContract {
  const { previewBinds, undoMs, ...told } = facts
  const { ways, ...given } = parts
  const { name, effect } = told
  return {
    ...told,
    ...given,
    title: facts.title ?? toLabel(name),
    icon: facts.icon,
    permission: facts.permission,
    form: facts.form,
    view: facts.view,
    concurrency: facts.concurrency,
    pack: facts.pack ?? name.split(/[.:]/, 1)[0] ?? name,
    idempotent: facts.idempotent ?? effect === 'read',
    secrets: facts.secrets.map(toSecretRequirement),
    ...(ways?.preview !== undefined && {
      preview: { binds: previewBinds ?? effect === 'destructive' },
    }),
    ...(ways?.undo !== undefined && { undo: toUndoFacts(ways.undo, undoMs) }),
  }
}

function toUndoFacts(undo: UndoWay, withinMs = dayMs): UndoFacts {
  return typeof undo === 'object' ? { withinMs, tool: undo.tool } : { withinMs }
}
