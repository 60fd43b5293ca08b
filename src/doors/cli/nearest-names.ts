import { editDistance } from '../../core/kernel/text/edit-distance.ts'

/** Up to three of the names that somebody may have meant, best first. */
export function nearestNames(word: string, names: Iterable<string>): string[] {
  const wanted = word.toLowerCase()
  const limit = Math.max(1, Math.floor(wanted.length / 3))
  return [...names]
    .map((name) => ({ name, distance: distanceTo(wanted, name.toLowerCase()) }))
    .filter(({ distance }) => distance <= limit)
    .toSorted((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name }) => name)
}

/** `Did you mean a or b?`, or nothing. */
export function didYouMean(word: string, names: Iterable<string>, prefix = ''): string | undefined {
  const nearest = nearestNames(word, names).map((name) => prefix + name)
  return nearest.length === 0 ? undefined : `Did you mean ${nearest.join(' or ')}?`
}

/** A prefix of the name counts as one mistake, so `sched` finds `schedules`. */
function distanceTo(word: string, name: string): number {
  if (word.length >= 3 && name.startsWith(word)) return 1
  return editDistance(word, name)
}
