/** How often something passed, and the bounds of the rate that this suggests. */
export interface PassRate {
  runs: number
  passed: number
  /** 0 to 1. */
  rate: number
  /** The Wilson score interval with 95 % confidence. */
  low: number
  high: number
}

/** The normal quantile of a two-sided 95 % interval. */
const z = 1.959964

/**
 * The rate with its Wilson bounds, which also hold for few runs: 5 of 5 prove a rate above 0.56, not
 * a rate of 1.
 */
export function toPassRate(passed: number, runs: number): PassRate {
  if (runs === 0) return { runs, passed, rate: 0, low: 0, high: 1 }
  const rate = passed / runs
  const spread = z * Math.sqrt((rate * (1 - rate)) / runs + (z * z) / (4 * runs * runs))
  const middle = rate + (z * z) / (2 * runs)
  const whole = 1 + (z * z) / runs
  return {
    runs,
    passed,
    rate: round(rate),
    // Rounding errors must not exclude what was seen.
    low: passed === 0 ? 0 : round((middle - spread) / whole),
    high: passed === runs ? 1 : round((middle + spread) / whole),
  }
}

function round(share: number): number {
  return Math.round(Math.min(1, Math.max(0, share)) * 10_000) / 10_000
}
