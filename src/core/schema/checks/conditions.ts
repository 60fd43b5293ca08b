import { isRecord, ownValue } from '../../kernel/json/json-type.ts'
import { schemaEntries, schemasOf, type Subschema } from '../document/keywords.ts'
import type { CompileGroup } from './compiler.ts'
import { all, attempt, judge, refuse } from './run.ts'

/** `$ref` */
export const compileRef: CompileGroup = (schema, compiler) => {
  const ref = schema['$ref']
  const target = typeof ref === 'string' ? compiler.resolve(ref) : undefined
  return target === undefined ? undefined : compiler.compile(target)
}

/** `allOf` */
export const compileAllOf: CompileGroup = (schema, compiler) => {
  const checks = schemasOf(schema, 'allOf').map((inner) => compiler.compile(inner))
  return checks.length === 0 ? undefined : all(checks)
}

/** `not` */
export const compileNot: CompileGroup = (schema, compiler) => {
  const not = schema['not'] as Subschema | undefined
  if (not === undefined) return undefined
  const check = compiler.compile(not)
  return (value, run, path) => {
    const { evaluated } = run
    run.evaluated = evaluated && new Set()
    const isExcluded = judge(check, value, run)
    run.evaluated = evaluated
    return !isExcluded || refuse(run, path, 'has an excluded form')
  }
}

/** `if`, `then`, `else` */
export const compileIf: CompileGroup = (schema, compiler) => {
  const { if: condition, then, else: otherwise } = schema as Record<string, Subschema | undefined>
  if (condition === undefined) return undefined
  const check = attempt(compiler.compile(condition))
  const whenTrue = attempt(compiler.compile(then ?? true))
  const whenFalse = attempt(compiler.compile(otherwise ?? true))
  return (value, run, path) => {
    const next = judge(check, value, run) ? whenTrue : whenFalse
    return next(value, run, path)
  }
}

/** `dependentSchemas` */
export const compileDependentSchemas: CompileGroup = (schema, compiler) => {
  const rules = schemaEntries(schema, 'dependentSchemas').map(
    ([key, inner]) => [key, attempt(compiler.compile(inner))] as const,
  )
  if (rules.length === 0) return undefined
  return (value, run, path) => {
    if (!isRecord(value)) return true
    const due = rules.filter(([key]) => ownValue(value, key) !== undefined)
    return due.map(([, check]) => check(value, run, path)).every(Boolean)
  }
}
