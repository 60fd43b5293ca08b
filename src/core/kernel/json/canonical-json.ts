import { ToolError } from '../errors.ts'

/** Deeper than any sensible input, and far below the depth where recursion overflows the stack. */
const maxDepth = 1000

/**
 * JSON text that is the same for equal values, whatever the order of their keys; used for hashes
 * and comparisons. Keys are sorted by code unit; values that JSON drops or changes (undefined, NaN,
 * -0) are dropped or changed here too.
 */
export function canonicalJson(value: unknown): string {
  return write(value, 0) ?? 'null'
}

function write(value: unknown, depth: number): string | undefined {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (depth >= maxDepth) {
    throw new ToolError('invalid_input', `The value is nested deeper than ${maxDepth} levels`, {
      fix: 'Send a flatter value.',
    })
  }
  if (Array.isArray(value)) {
    return `[${Array.from(value, (item) => write(item, depth + 1) ?? 'null').join(',')}]`
  }
  const members: string[] = []
  for (const key of Object.keys(value).sort()) {
    const text = write((value as Record<string, unknown>)[key], depth + 1)
    if (text !== undefined) members.push(`${JSON.stringify(key)}:${text}`)
  }
  return `{${members.join(',')}}`
}
