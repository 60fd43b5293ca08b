import type { Issue } from '../../kernel/errors.ts'
import { type Branch, fitsGlance, findWrongTag, mayFit, toBranch } from '../document/branch.ts'
import { pointerStep } from '../../kernel/json/json-pointer.ts'
import {
  type JsonType,
  jsonTypes,
  toTypePhrase,
  toValuePhrase,
} from '../../kernel/json/json-type.ts'
import { schemasOf } from '../document/keywords.ts'
import type { CompileGroup, Compiler } from './compiler.ts'
import { attempt, type Check, isCutShort, judge, refuse, type SchemaCheck, spend } from './run.ts'
import { toChoicesPhrase } from './scalars.ts'

interface Alternative extends Branch {
  readonly check: Check
}

/** `anyOf` */
export const compileAnyOf: CompileGroup = (schema, compiler) => {
  const branches = toAlternatives(schemasOf(schema, 'anyOf'), compiler)
  if (branches.length === 0) return undefined
  return (value, run, path) => {
    let fits = false
    for (const branch of branches) {
      spend(run, 1)
      if (!mayFit(branch, value) || !judge(branch.check, value, run)) continue
      fits = true
      // Every matching branch may have evaluated further keys.
      if (!run.evaluated) return true
    }
    return fits || explainNone(branches, value, { run, path })
  }
}

/** `oneOf` */
export const compileOneOf: CompileGroup = (schema, compiler) => {
  const branches = toAlternatives(schemasOf(schema, 'oneOf'), compiler)
  if (branches.length === 0) return undefined
  return (value, run, path) => {
    let count = 0
    for (const branch of branches) {
      spend(run, 1)
      if (mayFit(branch, value) && judge(branch.check, value, run)) count += 1
      if (count > 1)
        return refuse(
          run,
          path,
          'matches more than one of the allowed forms; it must match exactly one',
        )
    }
    return count === 1 || explainNone(branches, value, { run, path })
  }
}

function toAlternatives(schemas: readonly (boolean | object)[], compiler: Compiler): Alternative[] {
  return (schemas as Parameters<typeof toBranch>[0][]).map((schema) => ({
    ...toBranch(schema, compiler.resolve),
    check: attempt(compiler.compile(schema)),
  }))
}

interface Listener {
  run: SchemaCheck
  path: string
}

/** Reports the problems of the most likely branch, if one can be determined. */
function explainNone(branches: readonly Alternative[], value: unknown, to: Listener): false {
  const { run, path } = to
  if (!run.issues) return false
  const ofType = branches.filter((branch) => fitsGlance({ ...branch, values: undefined }, value))
  if (ofType.length === 0) return refuse(run, path, toTypeMessage(branches, value))
  const tagged = ofType.filter((branch) => findWrongTag(branch, value) === undefined)
  if (tagged.length === 0) return explainTags(ofType, value, to)
  const choices = tagged.flatMap((branch) => (branch.values ? [...branch.values] : [undefined]))
  if (!choices.includes(undefined)) return refuse(run, path, `must be ${toChoicesPhrase(choices)}`)
  for (const issue of findClosest(tagged, value, to)) refuse(run, issue.path, issue.message)
  return false
}

function toTypeMessage(branches: readonly Alternative[], value: unknown): string {
  const types = new Set(branches.flatMap((branch) => branch.types))
  // "a whole number or a number" would be redundant.
  if (types.has('number')) types.delete('integer')
  const ordered = jsonTypes.filter((type: JsonType) => types.has(type))
  const wanted = ordered.length === 0 ? 'one of the allowed forms' : toTypePhrase(ordered)
  return `must be ${wanted}, got ${toValuePhrase(value)}`
}

function explainTags(
  branches: readonly Alternative[],
  value: unknown,
  { run, path }: Listener,
): false {
  const keys = branches.map((branch) => findWrongTag(branch, value) ?? '')
  const key = keys[0] ?? ''
  const isCommon = keys.every((other) => other === key)
  if (!isCommon) return refuse(run, path, 'matches none of the allowed forms')
  const choices = branches.flatMap((branch) => [...(branch.tags.get(key) ?? [])])
  return refuse(run, pointerStep(path, key), `must be ${toChoicesPhrase([...new Set(choices)])}`)
}

/** The issues of the branch with the fewest. */
function findClosest(
  branches: readonly Alternative[],
  value: unknown,
  { run, path }: Listener,
): Issue[] {
  const { issues: outer, evaluated } = run
  let closest: Issue[] | undefined
  for (const branch of branches) {
    run.issues = []
    isCutShort(() => branch.check(value, run, path))
    run.evaluated = evaluated
    if (closest === undefined || run.issues.length < closest.length) closest = run.issues
  }
  run.issues = outer
  return closest ?? []
}
