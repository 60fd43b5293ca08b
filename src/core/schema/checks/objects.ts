import type { JsonSchema } from '../../kernel/tool.ts'
import { pointerStep } from '../../kernel/json/json-pointer.ts'
import { isRecord, ownValue } from '../../kernel/json/json-type.ts'
import { schemaEntries, stringsOf, type Subschema } from '../document/keywords.ts'
import { compilePattern, type Pattern } from '../document/pattern.ts'
import type { CompileGroup, Compiler } from './compiler.ts'
import { all, type Check, refuse, type SchemaCheck, spend } from './run.ts'

/** `required`, `properties`, `patternProperties`, `additionalProperties`, `propertyNames`, counts, `dependentRequired` */
export const compileObject: CompileGroup = (schema, compiler) => {
  const checks = [
    compileRequired(stringsOf(schema, 'required')),
    compileProperties(schema, compiler),
    compileOtherKeys(schema, compiler),
    compileNames(schema, compiler),
    compileKeyCount(schema),
    compileDependentRequired(schema),
  ].filter((check) => check !== undefined)
  if (checks.length === 0) return undefined
  const check = all(checks)
  return (value, run, path) => !isRecord(value) || check(value, run, path)
}

function compileRequired(keys: readonly string[]): Check | undefined {
  if (keys.length === 0) return undefined
  return (value, run, path) => {
    let fits = true
    for (const key of keys) {
      if (ownValue(value as Record<string, unknown>, key) !== undefined) continue
      if (!run.issues) return false
      fits = refuse(run, pointerStep(path, key), 'is required')
    }
    return fits
  }
}

function compileProperties(schema: JsonSchema, compiler: Compiler): Check | undefined {
  const parts = schemaEntries(schema, 'properties').map(
    ([key, inner]) => [key, compiler.compilePart(inner)] as const,
  )
  if (parts.length === 0) return undefined
  return (value, run, path) => {
    spend(run, parts.length)
    let fits = true
    for (const [key, check] of parts) {
      const item = ownValue(value as Record<string, unknown>, key)
      if (item === undefined) continue
      run.evaluated?.add(key)
      if (check(item, run, run.issues ? pointerStep(path, key) : '')) continue
      if (!run.issues) return false
      fits = false
    }
    return fits
  }
}

/** Keys that `properties` does not name: by pattern, then by `additionalProperties`. */
function compileOtherKeys(schema: JsonSchema, compiler: Compiler): Check | undefined {
  const named = schemaEntries(schema, 'properties').map(([key]) => key)
  const patterns = schemaEntries(schema, 'patternProperties').map(([source, inner]) => ({
    pattern: compilePattern(source),
    check: compiler.compilePart(inner),
  }))
  const others = schema['additionalProperties'] as Subschema | undefined
  if (patterns.length === 0 && others === undefined) return undefined
  const rules: KeyRules = {
    named: new Set(named),
    patterns,
    others:
      others === undefined
        ? undefined
        : others === false
          ? toUnknownKey(named)
          : compiler.compilePart(others),
  }
  return (value, run, path) => {
    let fits = true
    for (const key of Object.keys(value as object)) {
      if ((value as Record<string, unknown>)[key] === undefined) continue
      if (checkKey({ key, value: value as Record<string, unknown>, path }, rules, run)) continue
      if (!run.issues) return false
      fits = false
    }
    return fits
  }
}

interface KeyRules {
  named: ReadonlySet<string>
  patterns: readonly { pattern: Pattern; check: Check }[]
  others: Check | undefined
}

function checkKey(
  at: { key: string; value: Record<string, unknown>; path: string },
  rules: KeyRules,
  run: SchemaCheck,
): boolean {
  spend(run, 1 + rules.patterns.length)
  const fitting = rules.patterns.filter(({ pattern }) => pattern.test(at.key))
  const checks = fitting.map(({ check }) => check)
  if (checks.length === 0 && rules.others && !rules.named.has(at.key)) checks.push(rules.others)
  if (checks.length === 0) return true
  run.evaluated?.add(at.key)
  const path = run.issues ? pointerStep(at.path, at.key) : ''
  return checks.map((check) => check(at.value[at.key], run, path)).every(Boolean)
}

const maxKeysShown = 12

function toUnknownKey(known: readonly string[]): Check {
  const shown = known.slice(0, maxKeysShown).join(', ')
  const more = known.length > maxKeysShown ? ', …' : ''
  const message =
    known.length === 0
      ? 'is not a known key; none are allowed'
      : `is not a known key; known are ${shown}${more}`
  return (_, run, path) => refuse(run, path, message)
}

function compileNames(schema: JsonSchema, compiler: Compiler): Check | undefined {
  const names = schema['propertyNames'] as Subschema | undefined
  if (names === undefined) return undefined
  const check = compiler.compilePart(names)
  return (value, run, path) => {
    let fits = true
    for (const key of Object.keys(value as object)) {
      // The issue is placed at the key, and describes the key.
      if (check(key, run, run.issues ? pointerStep(path, key) : '')) continue
      if (!run.issues) return false
      fits = false
    }
    return fits
  }
}

function compileKeyCount(schema: JsonSchema): Check | undefined {
  const { minProperties = 0, maxProperties = Infinity } = schema as {
    minProperties?: number
    maxProperties?: number
  }
  if (minProperties === 0 && maxProperties === Infinity) return undefined
  return (value, run, path) => {
    const count = Object.values(value as object).filter((item) => item !== undefined).length
    if (count < minProperties)
      return refuse(run, path, `must have at least ${minProperties} keys, has ${count}`)
    return (
      count <= maxProperties ||
      refuse(run, path, `must have at most ${maxProperties} keys, has ${count}`)
    )
  }
}

function compileDependentRequired(schema: JsonSchema): Check | undefined {
  const rules = Object.entries((schema['dependentRequired'] ?? {}) as Record<string, string[]>)
  if (rules.length === 0) return undefined
  return (value, run, path) => {
    const record = value as Record<string, unknown>
    let fits = true
    for (const [key, needed] of rules) {
      if (ownValue(record, key) === undefined) continue
      const missing = needed.filter((name) => ownValue(record, name) === undefined)
      for (const name of missing)
        fits = refuse(run, pointerStep(path, name), `is required together with ${key}`)
    }
    return fits
  }
}
