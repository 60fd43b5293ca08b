/**
 * The console's words are English, so its numbers, dates and times are too, whatever language the browser
 * prefers. Everything that formats or sorts takes its locale from here; a test holds that.
 */
export const locale = 'en-US'

const plain = new Intl.NumberFormat(locale)

/** `1,204`, with at most three decimals. */
export function formatNumber(value: number): string {
  return plain.format(value)
}
