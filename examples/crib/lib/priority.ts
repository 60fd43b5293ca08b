import { round, sum } from './rounding.ts'

/** One thing to do, rated from 1 to 10. */
export interface RatedItem {
  name: string
  impact: number
  effort: number
  /** Null counts as certain. */
  confidencePercent: number | null
}

export const quadrants = ['quick win', 'major project', 'fill-in', 'thankless'] as const
export type Quadrant = (typeof quadrants)[number]

/** A type, not an interface: only then does TypeScript see that it is plain JSON. */
export type PrioritisedItem = {
  rank: number
  name: string
  impact: number
  effort: number
  confidencePercent: number
  quadrant: Quadrant
  score: number
  /** How many people rated it. */
  votes: number
  /** The widest disagreement between two of them, on impact or effort. */
  spread: number
}

type CountedItem = RatedItem & Pick<PrioritisedItem, 'votes' | 'spread'>

/** The middle of 1 to 10: from here on a rating counts as high. */
export const middleRating = 5.5

/** Best score first; equal ones keep their order. */
export function prioritise(items: readonly CountedItem[], threshold: number): PrioritisedItem[] {
  return items
    .map((item) => ({
      ...item,
      impact: round(item.impact),
      effort: round(item.effort),
      confidencePercent: round(item.confidencePercent ?? 100),
      spread: round(item.spread),
    }))
    .toSorted((a, b) => scoreOf(b) - scoreOf(a))
    .map((item, index) => ({
      rank: index + 1,
      ...item,
      quadrant: quadrantOf(item, threshold),
      score: round(scoreOf(item)),
    }))
}

/** One rating each, for a person who works alone. */
export function asSingleVotes(items: readonly RatedItem[]): CountedItem[] {
  return items.map((item) => ({ ...item, votes: 1, spread: 0 }))
}

/**
 * The mean of several people's ratings, item by item. Names are matched without case and outer
 * spaces; an item is averaged over those who rated it, and stays where it was first named.
 */
export function averageRatings(submissions: readonly (readonly RatedItem[])[]): CountedItem[] {
  const byName = new Map<string, RatedItem[]>()
  for (const item of submissions.flat()) {
    const key = item.name.trim().toLowerCase()
    const ratings = byName.get(key) ?? []
    ratings.push(item)
    byName.set(key, ratings)
  }
  return [...byName.values()].map((ratings) => ({
    name: ratings[0]?.name.trim() ?? '',
    impact: mean(ratings.map(({ impact }) => impact)),
    effort: mean(ratings.map(({ effort }) => effort)),
    confidencePercent: mean(ratings.map((rating) => rating.confidencePercent ?? 100)),
    votes: ratings.length,
    spread: Math.max(
      widest(ratings.map(({ impact }) => impact)),
      widest(ratings.map(({ effort }) => effort)),
    ),
  }))
}

/** Impact per effort, less where nobody is sure. */
function scoreOf({ impact, effort, confidencePercent }: RatedItem): number {
  return (impact * ((confidencePercent ?? 100) / 100)) / effort
}

function quadrantOf({ impact, effort }: RatedItem, threshold: number): Quadrant {
  if (impact >= threshold) return effort < threshold ? 'quick win' : 'major project'
  return effort < threshold ? 'fill-in' : 'thankless'
}

export function mean(values: readonly number[]): number {
  return sum(values) / values.length
}

function widest(values: readonly number[]): number {
  return Math.max(...values) - Math.min(...values)
}
