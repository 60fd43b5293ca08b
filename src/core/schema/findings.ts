import type { Issue } from '../kernel/errors.ts'

/** Nobody reads more of them, and finding more costs time that other callers need. */
export const maxFindings = 100

/** The last entry of an incomplete list. */
const moreFindings: Issue = Object.freeze({
  path: '',
  message: `Only the first ${maxFindings} problems are listed; there are more`,
})

/** Reports that validation stopped early. */
export const tookTooLong: Issue = Object.freeze({
  path: '',
  message: 'takes too long to check against the schema',
})

/** True if there are more problems than listed. */
export function isIncomplete(issues: readonly Issue[]): boolean {
  const last = issues.at(-1)
  return last === moreFindings || last === tookTooLong
}

/** A list of problems, with a note if it was cut. `isCut`: the search stopped early. */
export function cutFindings(issues: readonly Issue[], isCut = false): Issue[] {
  if (!isCut && issues.length <= maxFindings) return [...issues]
  return [...issues.slice(0, maxFindings), moreFindings]
}
