import type { JsonValue } from '../api/json.ts'
import { isObject, own } from './values/view-types.ts'

/** The part of an output at a path: a key, or a JSON pointer. */
export function resolve(output: JsonValue, path: string): JsonValue | undefined {
  if (path === '') return output
  if (!path.startsWith('/')) return isObject(output) ? own(output, path) : undefined
  let value: JsonValue | undefined = output
  for (const step of path.slice(1).split('/').map(unescapeStep)) {
    if (Array.isArray(value)) value = /^\d+$/.test(step) ? value[Number(step)] : undefined
    else value = isObject(value) ? own(value, step) : undefined
  }
  return value
}

/** The key of the output that a pointer begins with. */
export function firstStep(pointer: string): string {
  return unescapeStep(pointer.slice(1).split('/', 1)[0] ?? '')
}

function unescapeStep(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~')
}
