import type { Issue } from '../../kernel/errors.ts'
import { maxFindings } from '../findings.ts'

/** True when the value matches. With `run.issues`, also reports the problems. */
export type Check = (value: unknown, run: SchemaCheck, path: string) => boolean

/** One validation of one value. */
export interface SchemaCheck {
  /** Collects problems; without it the first failure ends the validation. */
  issues: Issue[] | undefined
  /** Steps taken so far. */
  work: number
  /**
   * Keys and indexes of the current value that some keyword has evaluated; only if a schema needs
   * them.
   */
  evaluated: Set<string | number> | undefined
}

/**
 * About half a second. A union that descends into the same place by two branches doubles at every
 * level of a recursive schema: limits on the schema don't prevent that, a budget does.
 */
const maxWork = 10_000_000

/** Collecting the problems may take a tenth of it: the verdict is known by then. */
export const workBeforeExplaining = 9_000_000

/** Thrown when validation takes too long; never leaves `compileValidator`. */
export const tooMuchWork = new Error('too much work')

/** Thrown when there are too many problems to report; never leaves `compileValidator`. */
export const enoughFindings = new Error('enough findings')

/** Counts steps and aborts a validation that would not end in time. */
export function spend(run: SchemaCheck, steps: number): void {
  run.work += steps
  if (run.work > maxWork) throw tooMuchWork
}

/** Reports a problem if they are collected. Always returns false, for use in a return statement. */
export function refuse(run: SchemaCheck, path: string, message: string): false {
  if (!run.issues) return false
  if (run.issues.length >= maxFindings) throw enoughFindings
  run.issues.push({ path, message })
  return false
}

/** Collects the findings of a check, at most a hundred. True when there are more. */
export function isCutShort(check: () => void): boolean {
  try {
    check()
    return false
  } catch (error) {
    if (error !== enoughFindings) throw error
    return true
  }
}

/** Validates without collecting problems. */
export function judge(check: Check, value: unknown, run: SchemaCheck): boolean {
  const { issues } = run
  run.issues = undefined
  const fits = check(value, run, '')
  run.issues = issues
  return fits
}

/**
 * Validates the same value with a schema that may not apply: the keys it evaluated count only if
 * the value matches.
 */
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

/** Validates a part of the value: keys evaluated in there do not count up here. */
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

/** All checks must pass. When no problems are collected, the first failure is enough. */
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
