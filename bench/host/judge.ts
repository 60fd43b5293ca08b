import type { Figure } from '../measure.ts'

/** A goal that is a largest value. */
export function atMost(most: number, value: number): Pick<Figure, 'goal' | 'kept' | 'off'> {
  return { goal: `≤ ${most}`, kept: value <= most, off: value / most }
}

/** Ours and the bare thing in the same unit, and how many times ours is the bare one. */
export function compared(value: number, bare: number): Pick<Figure, 'value' | 'bare' | 'ratio'> {
  return { value, bare, ratio: value / bare }
}

/** A goal that is a largest ratio. */
export function atMostTimes(
  most: number,
  { value, bare }: { value: number; bare: number },
): Pick<Figure, 'goal' | 'kept' | 'off'> {
  const ratio = value / bare
  return { goal: `≤ ${most} times`, kept: ratio <= most, off: ratio / most }
}
