/**
 * Text that may be a header as it is: visible ASCII and inner spaces, not looking encoded itself.
 */
const plain = /^(?!=\?base64\?)[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

/** A value for a header: as it is where it can be, else in base64 as the protocol writes it. */
export function toHeaderValue(value: string): string {
  if (plain.test(value)) return value
  return `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`
}
