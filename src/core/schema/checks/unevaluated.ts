import type { JsonSchema } from '../../kernel/tool.ts'
import { pointerStep } from '../../kernel/json/json-pointer.ts'
import { isRecord } from '../../kernel/json/json-type.ts'
import type { Subschema } from '../document/keywords.ts'
import type { Compiler } from './compiler.ts'
import { type Check, refuse, type SchemaCheck } from './run.ts'

/**
 * Adds `unevaluatedProperties` and `unevaluatedItems` to the check of everything else in their
 * schema.
 */
export function withUnevaluated(schema: JsonSchema, rest: Check, compiler: Compiler): Check {
  const keys = compileLeftOver(schema['unevaluatedProperties'] as Subschema | undefined, compiler)
  const items = compileLeftOver(schema['unevaluatedItems'] as Subschema | undefined, compiler)
  if (keys === undefined && items === undefined) return rest
  return (value, run, path) => {
    const outer = run.evaluated
    // Only keys that this schema's own keywords evaluate count here, not those of its neighbours.
    const seen = new Set<string | number>()
    run.evaluated = seen
    const fits = rest(value, run, path)
    run.evaluated = outer
    const left = findLeft(value, seen, { keys, items })
    const leftFits = left.entries.map(([key, part]) =>
      checkLeft({ key, part, path }, left.check, run),
    )
    for (const key of seen) outer?.add(key)
    for (const [key] of left.entries) outer?.add(key)
    return fits && leftFits.every(Boolean)
  }
}

function compileLeftOver(schema: Subschema | undefined, compiler: Compiler): Check | undefined {
  if (schema === undefined) return undefined
  if (schema === false) return (_, run, path) => refuse(run, path, 'is not allowed here')
  return compiler.compilePart(schema)
}

interface Left {
  entries: (readonly [string | number, unknown])[]
  check: Check | undefined
}

function findLeft(
  value: unknown,
  seen: ReadonlySet<string | number>,
  { keys, items }: { keys: Check | undefined; items: Check | undefined },
): Left {
  if (keys && isRecord(value)) {
    const entries = Object.entries(value).filter(
      ([key, part]) => part !== undefined && !seen.has(key),
    )
    return { entries, check: keys }
  }
  if (items && Array.isArray(value)) {
    return { entries: [...value.entries()].filter(([index]) => !seen.has(index)), check: items }
  }
  return { entries: [], check: undefined }
}

function checkLeft(
  { key, part, path }: { key: string | number; part: unknown; path: string },
  check: Check | undefined,
  run: SchemaCheck,
): boolean {
  const outer = run.evaluated
  run.evaluated = outer && new Set()
  const fits = check === undefined || check(part, run, run.issues ? pointerStep(path, key) : '')
  run.evaluated = outer
  return fits
}
