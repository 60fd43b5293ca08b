import type { Issue } from '../../kernel/errors.ts'
import { maxFindings } from '../findings.ts'

/** True when the value fits. With `run.issues`, also says what does not. */
export type Check = (value: unknown, run: Run, path: string) => boolean

/** One judgement of one value. */
export interface Run {
  /** Where to say what is wrong; without it the first failure ends the judgement. */
  issues: Issue[] | undefined
  /** Steps taken so far. */
  work: number
  /** Keys and indexes of the current value that some keyword has looked at; only where a schema asks. */
  evaluated: Set<string | number> | undefined
}

/**
 * About half a second. A union that descends into the same place by two branches doubles at every
 * level of a recursive schema: bounds on the schema don't help against that, a budget does.
 */
const maxWork = 10_000_000

/** Saying what is wrong may take a tenth of it: the verdict stands by then. */
export const workBeforeExplaining = 9_000_000

/** Thrown when judging takes too long; never leaves `compileValidator`. */
export const tooMuchWork = new Error('too much work')

/** Thrown when more is wrong than is worth saying; never leaves `compileValidator`. */
export const enoughFindings = new Error('enough findings')

/** Counts steps and ends a judgement that would not end in time. */
export function spend(run: Run, steps: number): void {
  run.work += steps
  if (run.work > maxWork) throw tooMuchWork
}

/** Says what is wrong where somebody listens. Always false, to be returned. */
export function refuse(run: Run, path: string, message: string): false {
  if (!run.issues) return false
  if (run.issues.length >= maxFindings) throw enoughFindings
  run.issues.push({ path, message })
  return false
}

/** What a judgement says, at most a hundred things of it. True when there is more. */
export function isCutShort(check: () => void): boolean {
  try {
    check()
    return false
  } catch (error) {
    if (error !== enoughFindings) throw error
    return true
  }
}

/** Judges without saying anything. */
export function judge(check: Check, value: unknown, run: Run): boolean {
  const { issues } = run
  run.issues = undefined
  const fits = check(value, run, '')
  run.issues = issues
  return fits
}

/** Judges the same value by a schema that may not apply: what it looked at counts only if the value fits. */
export function attempt(check: Check): Check {
  return (value, run, path) => {
    const outer = run.evaluated
    if (!outer) return check(value, run, path)
    const inner = new Set<string | number>()
    run.evaluated = inner
    const fits = check(value, run, path)
    run.evaluated = outer
    if (fits) for (const key of inner) outer.add(key)
    return fits
  }
}

/** Judges a part of the value: what is looked at in there is nobody's business up here. */
export function descend(check: Check): Check {
  return (value, run, path) => {
    const outer = run.evaluated
    if (!outer) return check(value, run, path)
    run.evaluated = new Set()
    const fits = check(value, run, path)
    run.evaluated = outer
    return fits
  }
}

/** All checks must hold. Without issues the first that fails is enough. */
export function all(checks: readonly Check[]): Check {
  const [only] = checks
  if (checks.length === 1 && only) return only
  return (value, run, path) => {
    let fits = true
    for (const check of checks) {
      if (check(value, run, path)) continue
      if (!run.issues) return false
      fits = false
    }
    return fits
  }
}
