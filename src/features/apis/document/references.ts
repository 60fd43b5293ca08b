import { fromPointer } from '../../../core/kernel/json/json-pointer.ts'
import { isRecord } from '../../../core/kernel/json/json-type.ts'
import type { Json, JsonObject } from '../model.ts'

/** Concerns one operation alone: it is quarantined with this reason, and the others are not. */
export class OperationFault extends Error {
  override readonly name = 'OperationFault'
}

/** Follows references within one document. Nothing outside of it is ever fetched. */
export interface References {
  readonly root: JsonObject
  /** The target; throws OperationFault for one that is elsewhere or missing. */
  find(ref: string): Json
  /** The object itself, or what it refers to, through further references. */
  follow(value: Json | undefined): JsonObject | undefined
}

/** A chain of references that is longer than this goes in a circle. */
const longestChain = 32

export function createReferences(root: JsonObject): References {
  const known = new Map<string, Json>()
  function find(ref: string): Json {
    const kept = known.get(ref)
    if (kept !== undefined) return kept
    if (!ref.startsWith('#')) {
      throw new OperationFault(
        `it refers to another document (${ref.slice(0, 200)}), which is not fetched`,
      )
    }
    const found = findIn(root, ref)
    if (found === undefined) {
      throw new OperationFault(`it refers to ${ref.slice(0, 200)}, which is missing`)
    }
    known.set(ref, found)
    return found
  }
  return {
    root,
    find,
    follow(value) {
      let current: Json | undefined = value
      for (let hop = 0; hop < longestChain; hop++) {
        if (!isRecord(current)) return undefined
        const ref: unknown = current['$ref']
        if (typeof ref !== 'string') return current
        current = find(ref)
      }
      throw new OperationFault('it refers to itself endlessly')
    },
  }
}

/** Own members alone: a name such as `constructor` must not find what every object inherits. */
function findIn(root: Json, ref: string): Json | undefined {
  let found: Json | undefined = root
  for (const key of fromPointer(decode(ref.slice(1)))) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    found = (found as JsonObject)[key]
  }
  return found
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
