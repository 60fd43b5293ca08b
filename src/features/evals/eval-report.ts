import type { SimilarTools } from '../../core/trials/evals/find-similar.ts'
import type { EvalResult, EvalStatus } from '../../core/trials/evals/run-evals.ts'

/** The outcomes of all evals of a tool or an agent. */
export interface EvalReport {
  name: string
  passed: number
  scored: number
  failed: number
  results: readonly EvalResult[]
  /** Of tools that were expected by evals that did not pass. */
  similar: readonly SimilarTools[]
}

/** Counts the results by status. */
export function toEvalReport(
  name: string,
  { results, similar }: Pick<EvalReport, 'results' | 'similar'>,
): EvalReport {
  const count = (wanted: EvalStatus) => results.filter(({ status }) => status === wanted).length
  return {
    name,
    passed: count('passed'),
    scored: count('scored'),
    failed: count('failed'),
    results,
    similar: [...new Map(similar.map((one) => [one.tool, one])).values()],
  }
}
