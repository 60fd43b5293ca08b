import { editDistance } from '../kernel/text/edit-distance.ts'

/** Longer lists help nobody; the nearest name is named separately. */
const maxListed = 20

/** `; did you mean "coding"? Known: coding, full` — the end of a message about an unknown name. */
export function describeKnown(name: string, known: readonly string[]): string {
  const nearest = findNearest(name, known)
  const listed = known.toSorted().slice(0, maxListed).join(', ')
  const more = known.length > maxListed ? ` and ${known.length - maxListed} more` : ''
  const question = nearest === undefined ? '' : `did you mean "${nearest}"? `
  return `${question}Known: ${listed === '' ? 'none' : listed}${more}`
}

/** The known name with the fewest edits, if it is near enough to be a typo. */
export function findNearest(name: string, known: readonly string[]): string | undefined {
  const wanted = name.slice(0, 100).toLowerCase()
  let best: { name: string; edits: number } | undefined
  for (const candidate of known) {
    const edits = editDistance(wanted, candidate.toLowerCase())
    if (isSlip(edits, candidate) && edits < (best?.edits ?? Infinity)) {
      best = { name: candidate, edits }
    }
  }
  return best?.name
}

/** A third of the letters may be wrong, but never all of them. */
function isSlip(edits: number, candidate: string): boolean {
  return edits <= Math.max(1, candidate.length / 3) && edits < candidate.length
}
