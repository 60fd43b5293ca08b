import type { Tool } from '@modelcontextprotocol/server'
import type { OfferedTool } from '../../../core/offer/tool-offer.ts'
import { withoutFilled } from '../../../core/schema/without-filled.ts'
import type { JsonSchema } from '../../../core/kernel/tool.ts'
import { type McpEra, mcpOutput } from '../results/mcp-output.ts'
import { toIcons } from './to-icons.ts'

/** A tool as MCP clients list it, under the name that this scope has for it. */
export function toMcpTool(tool: OfferedTool, name: string, era: McpEra): Tool {
  const outputSchema = mcpOutput(tool, era)?.schema
  return {
    name,
    title: tool.title,
    description: tool.description,
    inputSchema: toObjectSchema(withoutFilled(tool.inputSchema)),
    ...(outputSchema && { outputSchema }),
    annotations: {
      readOnlyHint: tool.effect === 'read',
      destructiveHint: tool.effect === 'destructive',
      idempotentHint: tool.idempotent,
      openWorldHint: tool.openWorld,
    },
    ...toIcons(tool),
    _meta: { 'toolcrib/name': tool.name, ...(tool.asks && { 'toolcrib/asks': true }) },
  }
}

/**
 * Input is always an object; a schema that leaves it open (a union, for example) must declare it
 * here. One with keywords that older dialects lack declares its dialect.
 */
function toObjectSchema(schema: JsonSchema): Tool['inputSchema'] {
  const isNew = newerKeywords.some((keyword) => Object.hasOwn(schema, keyword))
  return { ...(isNew && { $schema: dialect }), ...schema, type: 'object' }
}

const dialect = 'https://json-schema.org/draft/2020-12/schema'
const newerKeywords = [
  '$defs',
  '$anchor',
  '$dynamicRef',
  'if',
  'dependentSchemas',
  'dependentRequired',
  'unevaluatedProperties',
]
