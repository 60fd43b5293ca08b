/**
 * Rounds half away from zero, in decimal: 1.005 becomes 1.01, although the nearest binary number
 * lies below it. People check these figures with a pocket calculator, so they must agree with one.
 */
export function round(value: number, digits = 2): number {
  const size = Math.abs(value)
  // From here on a double has no decimals left to round, and the text below would need an exponent.
  if (size >= 1e15 || !Number.isFinite(size)) return value
  const shifted = Math.round(shiftDecimalPoint(size, digits))
  const rounded = shiftDecimalPoint(shifted, -digits)
  // Adding zero turns -0 into 0: nobody wants to read "-0".
  return Math.sign(value) * rounded + 0
}

/** The part as a percentage of the whole, with one decimal; 0 when there is no whole. */
export function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : round((part / whole) * 100, 1)
}

/** The total of a list; 0 for an empty one. */
export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function shiftDecimalPoint(value: number, digits: number): number {
  const [mantissa, exponent = '0'] = String(value).split('e')
  return Number(`${mantissa}e${Number(exponent) + digits}`)
}
