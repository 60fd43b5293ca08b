/**
 * Durations of calls, kept as counts in growing spans: a percentile over weeks is then a few
 * additions, and off by at most the width of a span. Each span is a fifth longer than the one
 * before.
 */
const growth = 1.2

/** More than a day: all longer calls are in the last span. */
const lastSpan = 103

/** The span of a duration; 0 is below a millisecond. */
export function spanOf(runMs: number): number {
  if (runMs < 1) return 0
  return Math.min(lastSpan, 1 + Math.floor(Math.log(runMs) / Math.log(growth) + 1e-9))
}

/** The longest duration in a span. */
export function endOfSpan(span: number): number {
  return growth ** span
}

/**
 * The subject of a tool's `pace` figures: its name comes last, because it may contain any
 * character.
 */
export function toPaceSubject(tool: string, span: number): string {
  return `${span} ${tool}`
}

/** The tool and the span of a subject. */
export function readPaceSubject(subject: string): { tool: string; span: number } {
  const gap = subject.indexOf(' ')
  return { span: Number(subject.slice(0, gap)), tool: subject.slice(gap + 1) }
}

/** The time within which this share of the calls ended; undefined without calls. */
export function findPercentile(
  calls: ReadonlyMap<number, number>,
  share: number,
): number | undefined {
  const spans = [...calls].toSorted(([left], [right]) => left - right)
  const total = spans.reduce((sum, [, count]) => sum + count, 0)
  let seen = 0
  for (const [span, count] of spans) {
    seen += count
    if (seen >= total * share) return Math.round(endOfSpan(span))
  }
  return undefined
}
