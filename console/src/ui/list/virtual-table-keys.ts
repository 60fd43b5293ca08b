interface Place {
  /** The row that is active, or -1. */
  index: number
  count: number
  /** Rows on a screen. */
  page: number
}

/** Where a key leads in a list of rows; undefined for a key that moves nothing. */
export function movedRow(key: string, { index, count, page }: Place): number | undefined {
  if (count === 0) return undefined
  const steps: Record<string, number> = {
    ArrowDown: index + 1,
    ArrowUp: index < 0 ? 0 : index - 1,
    PageDown: index + page,
    PageUp: index - page,
    Home: 0,
    End: count - 1,
  }
  const next = steps[key]
  return next === undefined ? undefined : Math.min(Math.max(0, next), count - 1)
}
