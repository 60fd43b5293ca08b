/** The conditions under which saved hours become free positions. Shares between 0 and 1. */
export interface FteConditions {
  workingHoursPerYear: number
  absence: number
  rampUpMonths: number
  redeployment: number
  uncertainty: number
}

export interface FteRange {
  low: number
  expected: number
  high: number
}

/** Hours one full-time position really works in a year. */
export function productiveHours({ workingHoursPerYear, absence }: FteConditions): number {
  return workingHoursPerYear * (1 - absence)
}

/** Positions that these hours a year would fill, if every minute could be used. */
export function grossFte(hoursPerYear: number, conditions: FteConditions): number {
  return hoursPerYear / productiveHours(conditions)
}

/**
 * Positions that become free in fact: only the share of the time that can be put to other use
 * counts, and never more than the hours themselves would fill.
 */
export function freedFte(hoursPerYear: number, conditions: FteConditions): FteRange {
  const gross = grossFte(hoursPerYear, conditions)
  const expected = gross * conditions.redeployment
  return {
    low: expected * (1 - conditions.uncertainty),
    expected,
    high: Math.min(gross, expected * (1 + conditions.uncertainty)),
  }
}

/** Share of the full effect in the first twelve months, when it builds up evenly over the ramp-up. */
export function firstYearShare(rampUpMonths: number): number {
  return rampUpMonths <= 12 ? 1 - rampUpMonths / 24 : 6 / rampUpMonths
}

/** The same range in another unit. */
export function scaleRange({ low, expected, high }: FteRange, factor: number): FteRange {
  return { low: low * factor, expected: expected * factor, high: high * factor }
}
