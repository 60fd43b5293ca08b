import type { JsonSchema } from '../../kernel/tool.ts'
import { toCanonicalText } from '../../kernel/json/deep-equal.ts'
import { pointerStep } from '../../kernel/json/json-pointer.ts'
import { schemasOf, type Subschema } from '../document/keywords.ts'
import type { CompileGroup, Compiler } from './compiler.ts'
import { all, type Check, judge, refuse, spend } from './run.ts'

/** `minItems`, `maxItems`, `uniqueItems`, `prefixItems`, `items`, `contains` */
export const compileArray: CompileGroup = (schema, compiler) => {
  const checks = [
    compileItemCount(schema),
    compileItems(schema, compiler),
    compileContains(schema, compiler),
    schema['uniqueItems'] === true ? checkUnique : undefined,
  ].filter((check) => check !== undefined)
  if (checks.length === 0) return undefined
  const check = all(checks)
  return (value, run, path) => !Array.isArray(value) || check(value, run, path)
}

function compileItemCount(schema: JsonSchema): Check | undefined {
  const { minItems = 0, maxItems = Infinity } = schema as { minItems?: number; maxItems?: number }
  if (minItems === 0 && maxItems === Infinity) return undefined
  return (value, run, path) => {
    const { length } = value as unknown[]
    if (length < minItems)
      return refuse(run, path, `must have at least ${toItems(minItems)}, has ${length}`)
    return (
      length <= maxItems ||
      refuse(run, path, `must have at most ${toItems(maxItems)}, has ${length}`)
    )
  }
}

function toItems(count: number): string {
  return count === 1 ? '1 item' : `${count} items`
}

function compileItems(schema: JsonSchema, compiler: Compiler): Check | undefined {
  const first = schemasOf(schema, 'prefixItems').map((item) => compiler.compilePart(item))
  const items = schema['items'] as Subschema | undefined
  if (first.length === 0 && items === undefined) return undefined
  const rest = items === undefined ? undefined : compiler.compilePart(items)
  return (value, run, path) => {
    const list = value as unknown[]
    const end = rest ? list.length : Math.min(list.length, first.length)
    spend(run, end)
    let fits = true
    for (let index = 0; index < end; index += 1) {
      const check = first[index] ?? rest
      run.evaluated?.add(index)
      if (check?.(list[index], run, run.issues ? pointerStep(path, index) : '')) continue
      if (!run.issues) return false
      fits = false
    }
    return fits
  }
}

function compileContains(schema: JsonSchema, compiler: Compiler): Check | undefined {
  const contains = schema['contains'] as Subschema | undefined
  if (contains === undefined) return undefined
  const check = compiler.compilePart(contains)
  const { minContains = 1, maxContains = Infinity } = schema as {
    minContains?: number
    maxContains?: number
  }
  return (value, run, path) => {
    let count = 0
    for (const [index, item] of (value as unknown[]).entries()) {
      if (!judge(check, item, run)) continue
      count += 1
      run.evaluated?.add(index)
    }
    if (count < minContains) {
      return refuse(
        run,
        path,
        `must contain at least ${toItems(minContains)} of the required kind, contains ${count}`,
      )
    }
    return (
      count <= maxContains ||
      refuse(
        run,
        path,
        `must contain at most ${toItems(maxContains)} of the required kind, contains ${count}`,
      )
    )
  }
}

const checkUnique: Check = (value, run, path) => {
  const seen = new Map<unknown, number>()
  for (const [index, item] of (value as unknown[]).entries()) {
    const isScalar = typeof item !== 'object' || item === null
    // Objects are compared as prefixed text, so that they never equal a string that looks the same.
    const key = isScalar ? item : `\u0000${toCanonicalText(item)}`
    spend(run, isScalar ? 1 : (key as string).length)
    const before = seen.get(key)
    if (before !== undefined)
      return refuse(run, path, `must not repeat items: ${before} and ${index} are equal`)
    seen.set(key, index)
  }
  return true
}
