import type { Issue } from '../kernel/errors.ts'

/** Nobody reads more of them, and looking for more costs time that other callers need. */
export const maxFindings = 100

/** Ends a list that is not complete. */
const moreFindings: Issue = Object.freeze({
  path: '',
  message: `Only the first ${maxFindings} problems are listed; there are more`,
})

/** Says that judging stopped before the end. */
export const tookTooLong: Issue = Object.freeze({
  path: '',
  message: 'takes too long to check against the schema',
})

/** Is there more wrong than the list says? */
export function isIncomplete(issues: readonly Issue[]): boolean {
  const last = issues.at(-1)
  return last === moreFindings || last === tookTooLong
}

/** A list of problems that says so when it was cut. `isCut`: whoever looked stopped early. */
export function cutFindings(issues: readonly Issue[], isCut = false): Issue[] {
  if (!isCut && issues.length <= maxFindings) return [...issues]
  return [...issues.slice(0, maxFindings), moreFindings]
}
