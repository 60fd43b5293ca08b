import { ToolError } from '../errors.ts'
import { isRecord } from '../schema/json/json-type.ts'
import { callToolTool, isMetaTool } from './meta-tools.ts'

/**
 * What a request through `tools.call` means: a call of the tool it names. Everything behind sees
 * that tool alone, so policy, approvals, limits and the record are about it.
 */
export function unwrapCall<R extends { tool: string; input: unknown }>(request: R): R {
  if (request.tool !== callToolTool && request.tool !== wireName) return request
  const { input } = request
  if (!isRecord(input) || typeof input['name'] !== 'string') {
    throw invalid('/name', 'must be the name of a tool, as tools.search gives it')
  }
  const { name, input: inner } = input
  if (isMetaTool(name) || name === wireName) throw invalid('/name', 'must be another tool')
  return { ...request, tool: name, input: readInput(inner) }
}

const wireName = 'tools_call'

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
  return new ToolError('invalid_input', 'The input does not fit tools.call', {
    issues: [{ path, message }],
  })
}
