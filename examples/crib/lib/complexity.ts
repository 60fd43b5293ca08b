import { round, sum } from './rounding.ts'

/** What makes an automation hard, as people can state it. */
export interface ComplexityFactors {
  systems: number
  systemsWithoutInterface: number
  dataQuality: number
  rules: number
  exceptionPercent: number
  regulation: Regulation
  peopleAffected: number
}

export const regulations = ['none', 'internal', 'sector', 'strict'] as const
export type Regulation = (typeof regulations)[number]

export const complexityDrivers = [
  'systems',
  'data quality',
  'rules',
  'exceptions',
  'regulation',
  'change',
] as const
export type ComplexityDriver = (typeof complexityDrivers)[number]

export const sizeClasses = ['S', 'M', 'L', 'XL'] as const
export type SizeClass = (typeof sizeClasses)[number]

/** How many of the 100 points each driver can bring. */
const driverWeights: Record<ComplexityDriver, number> = {
  systems: 25,
  'data quality': 20,
  rules: 20,
  exceptions: 15,
  regulation: 10,
  change: 10,
}

const regulationShares: Record<Regulation, number> = {
  none: 0,
  internal: 0.3,
  sector: 0.6,
  strict: 1,
}

/** Person-days of the simplest automation, and the points after which effort has doubled. */
const smallestEffortDays = 4
const doublingPoints = 17

/** Points by driver, most first; equal ones in the order of the list. */
export function scoreDrivers(
  factors: ComplexityFactors,
): { driver: ComplexityDriver; points: number; maximum: number }[] {
  const shares = driverShares(factors)
  return complexityDrivers
    .map((driver) => ({
      driver,
      points: driverWeights[driver] * shares[driver],
      maximum: driverWeights[driver],
    }))
    .toSorted((a, b) => b.points - a.points)
}

/** The sum of all points, between 0 and 100. */
export function complexityScore(factors: ComplexityFactors): number {
  return sum(scoreDrivers(factors).map(({ points }) => points))
}

export function sizeOf(score: number): SizeClass {
  if (score < 25) return 'S'
  if (score < 50) return 'M'
  return score < 75 ? 'L' : 'XL'
}

/**
 * Person-days: effort doubles every 17 points, and the range widens with the score, above more than
 * below, because what is complex is also hard to foresee.
 */
export function effortDays(score: number): { low: number; expected: number; high: number } {
  const expected = smallestEffortDays * 2 ** (score / doublingPoints)
  return {
    low: round(expected * (0.85 - score / 500), 1),
    expected: round(expected, 1),
    high: round(expected * (1.2 + score / 125), 1),
  }
}

/** Each driver between 0 (none of it) and 1 (as hard as it gets). */
function driverShares(factors: ComplexityFactors): Record<ComplexityDriver, number> {
  const further = Math.max(0, factors.systems - 1)
  return {
    systems: Math.min(1, further * 0.15 + factors.systemsWithoutInterface * 0.2),
    'data quality': (5 - factors.dataQuality) / 4,
    rules: saturate(factors.rules, 20),
    exceptions: Math.min(1, factors.exceptionPercent / 40),
    regulation: regulationShares[factors.regulation],
    change: saturate(factors.peopleAffected, 50),
  }
}

/** Rises fast at first and never reaches 1: the hundredth rule adds less than the tenth. */
function saturate(count: number, half: number): number {
  return count / (count + half)
}
