import type { EvalResult, EvalStatus } from '../../core/trials/evals/run-evals.ts'

/** The outcomes of all evals of a tool or an agent. */
export interface EvalReport {
  name: string
  passed: number
  scored: number
  failed: number
  results: readonly EvalResult[]
}

/** Counts the results by status. */
export function toEvalReport(name: string, results: readonly EvalResult[]): EvalReport {
  const count = (wanted: EvalStatus) => results.filter(({ status }) => status === wanted).length
  return {
    name,
    passed: count('passed'),
    scored: count('scored'),
    failed: count('failed'),
    results,
  }
}
