interface Versions<Draft> {
  /** The stored value when typing began. */
  before: Draft
  /** The stored value now. */
  now: Draft
  draft: Draft
}

/** The draft merged into the current value; undefined where both changed the same field differently. */
export function mergeDraft<Draft extends object>(versions: Versions<Draft>): Draft | undefined {
  const { before, now, draft } = versions
  const merged = { ...draft }
  for (const key of Object.keys(draft) as (keyof Draft)[]) {
    const isTyped = !isSame(draft[key], before[key])
    if (!isTyped) merged[key] = now[key]
    else if (!isSame(now[key], before[key]) && !isSame(now[key], draft[key])) return undefined
  }
  return merged
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
