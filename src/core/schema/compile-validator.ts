import type { Issue } from '../kernel/errors.ts'
import type { JsonSchema } from '../kernel/tool.ts'
import { compileArray } from './checks/arrays.ts'
import type { CompileGroup, Compiler } from './checks/compiler.ts'
import {
  compileAllOf,
  compileDependentSchemas,
  compileIf,
  compileNot,
  compileRef,
} from './checks/conditions.ts'
import { compileObject } from './checks/objects.ts'
import {
  all,
  type Check,
  descend,
  isCutShort,
  refuse,
  spend,
  tooMuchWork,
  workBeforeExplaining,
} from './checks/run.ts'
import { compileNumber, compileString, compileType, compileValues } from './checks/scalars.ts'
import { withUnevaluated } from './checks/unevaluated.ts'
import { compileAnyOf, compileOneOf } from './checks/unions.ts'
import { checkBounds } from './document/check-bounds.ts'
import type { Subschema } from './document/keywords.ts'
import { cutFindings, tookTooLong } from './findings.ts'
import { createResolver } from './document/resolve-ref.ts'

/** The problems of a value; empty when it is valid. Never throws, and never takes long. */
export type Validator = (value: unknown) => readonly Issue[]

const validators = new WeakMap<JsonSchema, Validator>()
const noIssues: readonly Issue[] = Object.freeze([])

/**
 * The validator of a JSON Schema 2020-12, checked against the limits and compiled on first use,
 * then cached with the schema object. Throws `invalid_schema` only on that first use.
 *
 * Closures instead of generated code: compiling is linear in the schema, validating is bounded by a
 * budget of steps, and the messages are ours. A generated validator can do none of this: one of 300
 * bytes takes hours on a value that nests 40 levels deep.
 */
export function compileValidator(schema: JsonSchema): Validator {
  const known = validators.get(schema)
  if (known) return known
  checkBounds(schema)
  const validator = toValidator(compileRoot(schema))
  validators.set(schema, validator)
  return validator
}

function toValidator({ check, tracks }: { check: Check; tracks: boolean }): Validator {
  const judge = (value: unknown, issues: Issue[] | undefined, work: number) =>
    check(value, { issues, work, evaluated: tracks ? new Set() : undefined }, '')
  return (value) => {
    const issues: Issue[] = []
    try {
      if (judge(value, undefined, 0)) return noIssues
      const isCut = isCutShort(() => judge(value, issues, workBeforeExplaining))
      // The closest branch of a union may have no problems: another rule failed.
      return issues.length > 0
        ? cutFindings(issues, isCut)
        : [{ path: '', message: 'does not match the schema' }]
    } catch (error) {
      if (error !== tooMuchWork) throw error
      return [...issues, tookTooLong]
    }
  }
}

/** The first groups are cheap, reject most values, and have the best messages. */
const groups: readonly CompileGroup[] = [
  compileValues,
  compileNumber,
  compileString,
  compileArray,
  compileObject,
  compileRef,
  compileAllOf,
  compileAnyOf,
  compileOneOf,
  compileNot,
  compileIf,
  compileDependentSchemas,
]

function compileRoot(root: JsonSchema): { check: Check; tracks: boolean } {
  const compiled = new Map<JsonSchema, Check>()
  const tracks = JSON.stringify(root).includes('"unevaluated')
  const compile = (schema: Subschema): Check => {
    if (schema === true) return () => true
    if (schema === false) return (_, run, path) => refuse(run, path, 'is not allowed')
    const known = compiled.get(schema)
    if (known) return known
    const later: { check?: Check } = {}
    // A recursive schema reaches this while it is being compiled.
    compiled.set(schema, (value, run, path) => later.check?.(value, run, path) ?? true)
    later.check = compileSchema(schema, compiler)
    compiled.set(schema, later.check)
    return later.check
  }
  const compiler: Compiler = {
    resolve: createResolver(root),
    compile,
    compilePart: (schema) => (tracks ? descend(compile(schema)) : compile(schema)),
  }
  return { check: compile(root), tracks }
}

function compileSchema(schema: JsonSchema, compiler: Compiler): Check {
  const type = compileType(schema, compiler)
  const rest = groups.map((group) => group(schema, compiler)).filter((check) => check !== undefined)
  if (type && rest.length === 0) return type
  const others = withUnevaluated(schema, all(rest), compiler)
  return (value, run, path) => {
    spend(run, 1)
    // If the type is wrong, all other problems are noise.
    return (type === undefined || type(value, run, path)) && others(value, run, path)
  }
}
