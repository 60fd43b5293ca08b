import { ToolError } from '../kernel/errors.ts'
import { isRecord } from '../kernel/json/json-type.ts'
import { callToolTool, isMetaTool } from '../kernel/meta-tools.ts'

/** Resolves a name to its canonical form. */
export type ToCanonical = (name: string) => string | undefined

/**
 * Unwraps a request through `tools.call`: a call of the tool it names. Everything behind it sees
 * only that tool, so policy, approvals, limits and the record apply to it. The table of names
 * decides which tool a wire name refers to: a custom `tools_call` is called by its name.
 */
export function unwrapCall<R extends { tool: string; input: unknown }>(
  request: R,
  toCanonical: ToCanonical,
): R {
  if (!isCallTool(request.tool, toCanonical)) return request
  const { input } = request
  if (!isRecord(input) || typeof input['name'] !== 'string') {
    throw invalid('/name', 'must be the name of a tool, as tools.search returns it')
  }
  const { name, input: inner } = input
  if (isMetaTool(name) || isCallTool(name, toCanonical)) {
    throw invalid('/name', 'must be another tool')
  }
  return { ...request, tool: name, input: readInput(inner) }
}

/**
 * Every possible wire name of `tools.call` starts like this, so other calls need no lookup here.
 */
const wireBeginning = 'tools_call'

function isCallTool(name: string, toCanonical: ToCanonical): boolean {
  return (
    name === callToolTool || (name.startsWith(wireBeginning) && toCanonical(name) === callToolTool)
  )
}

/**
 * JSON text, according to the schema; an object is accepted, too, because models send one anyway.
 */
function readInput(inner: unknown): unknown {
  if (typeof inner !== 'string') return inner ?? {}
  try {
    return JSON.parse(inner.trim() === '' ? '{}' : inner)
  } catch {
    throw invalid('/input', 'must be JSON text')
  }
}

function invalid(path: string, message: string): ToolError {
  return new ToolError('invalid_input', 'The input does not match the schema of tools.call', {
    issues: [{ path, message }],
  })
}
