/** Beyond this growth of the discount factor the rate is −100 % for every practical purpose. */
const largestFactor = 1e15

/** Money that is back to the last cent but for binary rounding is back: 1100 / 1.1 − 1000 is not 0. */
const roundingTolerance = 1e-12

/** What each flow is worth today; the first one happens now, the others at the end of their year. */
export function discountFlows(flows: readonly number[], rate: number): number[] {
  return flows.map((flow, year) => flow / (1 + rate) ** year)
}

/** Running totals, one per flow. */
export function accumulate(flows: readonly number[]): number[] {
  let total = 0
  return flows.map((flow) => (total += flow))
}

/**
 * Years until the running total first reaches zero, with a fraction: within a year, money is taken
 * to arrive evenly. Null when that never happens; 0 when nothing was spent at the start.
 */
export function paybackYears(flows: readonly number[]): number | null {
  let total = 0
  const tolerance = roundingTolerance * Math.abs(flows[0] ?? 0)
  for (const [year, flow] of flows.entries()) {
    const before = total
    total += flow
    if (total < -tolerance) continue
    return year === 0 ? 0 : year - 1 + Math.min(1, -before / flow)
  }
  return null
}

/**
 * The rate at which the flows are worth nothing today (internal rate of return), as a fraction.
 * Null when the flows do not change sign exactly once: then there is no such rate, or several, and
 * any one of them would mislead.
 */
export function internalRate(flows: readonly number[]): number | null {
  if (signChanges(flows) !== 1) return null
  // In x = 1/(1+rate) the value is a polynomial with exactly one positive root (Descartes' rule).
  const rising = (flows.find((flow) => flow !== 0) ?? 0) < 0 ? 1 : -1
  const valueAt = (factor: number) =>
    rising * flows.reduceRight((value, flow) => value * factor + flow, 0)
  let high = 1
  while (valueAt(high) < 0 && high < largestFactor) high *= 2
  if (valueAt(high) < 0) return null
  const factor = bisect(valueAt, high)
  return factor === 0 ? null : 1 / factor - 1
}

function signChanges(flows: readonly number[]): number {
  const signs = flows.filter((flow) => flow !== 0).map(Math.sign)
  return signs.filter((sign, index) => index > 0 && sign !== signs[index - 1]).length
}

/** Halves [0, high] until it is as narrow as doubles allow; `valueAt` rises through zero in it. */
function bisect(valueAt: (factor: number) => number, high: number): number {
  let below = 0
  let above = high
  for (;;) {
    const middle = (below + above) / 2
    if (middle <= below || middle >= above) return middle
    if (valueAt(middle) < 0) below = middle
    else above = middle
  }
}
