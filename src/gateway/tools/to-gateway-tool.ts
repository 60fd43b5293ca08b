import type { CallContext } from '../../core/kernel/call.ts'
import { toTool } from '../../core/define-tool.ts'
import { isToolError } from '../../core/kernel/errors.ts'
import { type McpServerSpec, serverPack } from '../../core/gateway/server-spec.ts'
import { isRecord } from '../../core/kernel/json/json-type.ts'
import type { JsonSchema, Tool } from '../../core/kernel/tool.ts'
import type { JsonRecord } from '../wire/messages.ts'
import { dryRunOf } from './dry-run.ts'
import { toIcons } from './to-icons.ts'
import { toToolFacts } from './tool-facts.ts'

/** A tool of a server, on its way to become one of ours. */
export interface ToolMaking {
  server: string
  spec: McpServerSpec
  /** Its name here, the end of `mcp:<server>:<tool>`. */
  localName: string
  definition: JsonRecord
  secrets: readonly string[]
  execute(input: unknown, context: CallContext): unknown
}

/** The tool, or, where it can't be one, a stand-in that shows its name and why. */
export function toGatewayTool(making: ToolMaking): { tool: Tool; fault?: string } {
  try {
    return { tool: makeTool(making, schemasOf(making.definition)) }
  } catch (error) {
    // The error concerns this tool alone: thrown on, it would take down all tools of the tenant.
    const fault = isToolError(error) ? error.message : `it can not be made a tool: ${String(error)}`
    return { tool: standIn(making), fault: fault.slice(0, 500) }
  }
}

/** Nothing of it comes from the server but the name, and that was made to be one. */
function standIn({ server, localName, execute }: ToolMaking): Tool {
  return toTool(
    {
      name: `mcp:${server}:${localName}`,
      source: 'gateway',
      pack: serverPack(server),
      title: localName.slice(0, 200),
      description: localName,
      effect: 'write',
      inputSchema: { type: 'object', additionalProperties: true },
    },
    { execute: (input, context) => execute(input, context) },
  )
}

type Schemas = { inputSchema: JsonSchema; outputSchema: JsonSchema | undefined }

function makeTool(making: ToolMaking, { inputSchema, outputSchema }: Schemas): Tool {
  const { server, spec, localName, definition } = making
  const annotations = isRecord(definition['annotations']) ? definition['annotations'] : {}
  const { effect, idempotent, openWorld } = toToolFacts(spec, making)
  const title = textOf(definition['title']) ?? textOf(annotations['title'])
  const description = textOf(definition['description'], 16_384)
  return toTool(
    {
      name: `mcp:${server}:${localName}`,
      source: 'gateway',
      pack: serverPack(server),
      title: title ?? localName.slice(0, 200),
      description: description ?? title ?? localName,
      effect,
      idempotent,
      openWorld,
      timeoutMs: timeoutOf(spec, localName),
      maxOutputBytes: spec.maxOutputBytes,
      secrets: making.secrets.map((key) => ({ key, label: `${server}: ${key}` })),
      icons: toIcons(definition['icons']),
      inputSchema,
      ...(outputSchema !== undefined && { outputSchema }),
    },
    { execute: (input, context) => making.execute(input, context), preview: dryRunOf(making) },
  )
}

/** Servers call their tools as they like, also `constructor`. */
function timeoutOf({ timeouts, timeoutMs }: McpServerSpec, localName: string): number {
  const own = Object.hasOwn(timeouts, localName) ? timeouts[localName] : undefined
  return own ?? timeoutMs
}

/** Input is always an object, so saying so of a union of objects changes nothing. */
function schemasOf({ inputSchema, outputSchema }: JsonRecord): Schemas {
  const input = isRecord(inputSchema) ? (inputSchema as JsonSchema) : undefined
  const isUnion = ['anyOf', 'oneOf', 'allOf', '$ref'].some((key) => input?.[key] !== undefined)
  const whole = input?.['type'] === undefined && isUnion ? { type: 'object', ...input } : input
  // Output may be anything in the newer protocol; ours describes objects alone.
  const isObject = isRecord(outputSchema) && outputSchema['type'] === 'object'
  return {
    inputSchema: (whole ?? inputSchema ?? { type: 'none' }) as JsonSchema,
    outputSchema: isObject ? outputSchema : undefined,
  }
}

function textOf(value: unknown, max = 200): string | undefined {
  const text = typeof value === 'string' ? value.trim().slice(0, max) : ''
  return text === '' ? undefined : text
}
