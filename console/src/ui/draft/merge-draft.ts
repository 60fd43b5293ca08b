interface Versions<Draft> {
  /** What was there when somebody began to type. */
  before: Draft
  /** What others have made of it. */
  now: Draft
  draft: Draft
}

/** What was typed, on what is there now; undefined where both have changed the same field otherwise. */
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
