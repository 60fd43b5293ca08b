import { ToolError } from '../kernel/errors.ts'
import { isRecord } from '../kernel/json/json-type.ts'
import { callToolTool, isMetaTool } from '../kernel/meta-tools.ts'

/** The canonical name of what is called so. */
export type ToCanonical = (name: string) => string | undefined

/**
 * What a request through `tools.call` means: a call of the tool it names. Everything behind sees
 * that tool alone, so policy, approvals, limits and the record are about it. Which tool a wire name
 * stands for is the table's to say: somebody's own `tools_call` is called by its name.
 */
export function unwrapCall<R extends { tool: string; input: unknown }>(
  request: R,
  toCanonical: ToCanonical,
): R {
  if (!isCallTool(request.tool, toCanonical)) return request
  const { input } = request
  if (!isRecord(input) || typeof input['name'] !== 'string') {
    throw invalid('/name', 'must be the name of a tool, as tools.search gives it')
  }
  const { name, input: inner } = input
  if (isMetaTool(name) || isCallTool(name, toCanonical)) {
    throw invalid('/name', 'must be another tool')
  }
  return { ...request, tool: name, input: readInput(inner) }
}

/** Every wire name that `tools.call` can have begins so: no other call looks into the table here. */
const wireBeginning = 'tools_call'

function isCallTool(name: string, toCanonical: ToCanonical): boolean {
  return (
    name === callToolTool || (name.startsWith(wireBeginning) && toCanonical(name) === callToolTool)
  )
}

/** JSON text, as the schema says; an object is taken, too, because models give one all the same. */
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
