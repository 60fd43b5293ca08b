import type { JsonSchema } from '../../kernel/tool.ts'
import { findByPointer } from '../../kernel/json/json-pointer.ts'
import { findSubschemas, type Subschema } from './keywords.ts'
import { isRecord } from '../../kernel/json/json-type.ts'

/** Finds the target of a local `$ref`. */
export type ResolveRef = (ref: string) => Subschema | undefined

/** Resolves `#`, `#/$defs/x` and `#anchor` within one document, never beyond it. */
export function createResolver(root: JsonSchema): ResolveRef {
  const known = new Map<string, Subschema | undefined>()
  let anchors: Map<string, JsonSchema> | undefined

  const resolve = (ref: string): Subschema | undefined => {
    if (!ref.startsWith('#')) return undefined
    const fragment = decode(ref.slice(1))
    if (fragment === '') return root
    if (!fragment.startsWith('/')) return (anchors ??= findAnchors(root)).get(fragment)
    const found = findByPointer(root, fragment)
    return isRecord(found) || typeof found === 'boolean' ? found : undefined
  }

  return (ref) => {
    if (!known.has(ref)) known.set(ref, resolve(ref))
    return known.get(ref)
  }
}

function findAnchors(root: JsonSchema): Map<string, JsonSchema> {
  const anchors = new Map<string, JsonSchema>()
  const open: unknown[] = [root]
  while (open.length > 0) {
    const schema = open.pop()
    if (!isRecord(schema)) continue
    if (typeof schema['$anchor'] === 'string') anchors.set(schema['$anchor'], schema)
    for (const inner of findSubschemas(schema, '')) open.push(inner.schema)
  }
  return anchors
}

/** A fragment may be percent-encoded; a malformed one is used as it is. */
function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}
