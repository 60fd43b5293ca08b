import { toTool } from '../../../core/define-tool.ts'
import { isToolError } from '../../../core/kernel/errors.ts'
import type { Effect, Tool, ValueParser } from '../../../core/kernel/tool.ts'
import type { JsonSchema } from '../../../core/kernel/json.ts'
import { compileValidator, type Validator } from '../../../core/schema/compile-validator.ts'
import { toJsonParser } from '../../../core/schema/to-parser.ts'
import type { AuthScheme, JsonObject, ApiOperation } from '../model.ts'
import { apiPack, secretsOf, type ApiSpec } from '../spec.ts'
import { asGiven } from './as-given.ts'
import { callOperation } from './call-operation.ts'

/** An operation on its way to become a tool. */
export interface ApiToolMaking {
  api: string
  spec: ApiSpec & { server: string }
  schemes: readonly AuthScheme[]
  definition: ApiOperation
  effect: Effect
}

/** The tool, or, where it can’t be one, a stand-in that shows its name and why. */
export function toApiTool(making: ApiToolMaking): { tool: Tool; fault?: string } {
  try {
    return { tool: makeTool(making) }
  } catch (error) {
    // Thrown on, it would take down all tools of the tenant.
    const fault = isToolError(error) ? error.message : `it can not be made a tool: ${String(error)}`
    return { tool: standIn(making), fault: fault.slice(0, 500) }
  }
}

function makeTool({ api, spec, schemes, definition, effect }: ApiToolMaking): Tool {
  const { name, title, description, method, inputSchema, outputSchema } = definition
  const isRepeatable = effect === 'read' || method === 'PUT'
  const target = { spec, schemes, definition, isRepeatable }
  return toTool(
    {
      name: toolName(api, name),
      source: 'api',
      pack: apiPack(api),
      title,
      description,
      effect,
      idempotent: isRepeatable,
      openWorld: true,
      // The request has its own deadline; this one is for what comes around it.
      timeoutMs: spec.timeoutMs + 1000,
      maxOutputBytes: spec.maxOutputBytes,
      secrets: secretsOf(spec).map((key) => ({ key, label: `${spec.title ?? api}: ${key}` })),
      inputSchema,
      ...(outputSchema !== undefined && { outputSchema }),
    },
    {
      parseInput: toInputParser(inputSchema),
      ...(outputSchema !== undefined && { parseOutput: toOutputParser(outputSchema) }),
      execute: (input, context) => callOperation(target, input as JsonObject, context),
    },
  )
}

/** Where nothing of the definition can be trusted to be a tool. */
function standIn({ api, definition, effect }: ApiToolMaking): Tool {
  const { name, method, path } = definition
  return toTool(
    {
      name: toolName(api, name),
      source: 'api',
      pack: apiPack(api),
      title: name,
      description: `${method} ${path}`.slice(0, 1000),
      effect,
      inputSchema: { type: 'object', additionalProperties: true },
    },
    { execute: () => undefined },
  )
}

function toInputParser(schema: JsonSchema): ValueParser {
  const parse = toJsonParser(schema)
  return (given) => {
    const parsed = parse(given)
    return parsed.ok ? { ok: true, value: asGiven(parsed.value, given) } : parsed
  }
}

/** Documents leave fields out, so those they do not know stay, and none is added. */
function toOutputParser(schema: JsonSchema): ValueParser {
  let validate: Validator | undefined
  return (value) => {
    validate ??= compileValidator(schema)
    const issues = validate(value)
    return issues.length === 0 ? { ok: true, value } : { ok: false, issues: [...issues] }
  }
}

/** The name of an operation’s tool. */
export function toolName(api: string, operation: string): string {
  return `api:${api}:${operation}`
}
