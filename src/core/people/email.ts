import { ToolError } from '../kernel/errors.ts'

/**
 * Plain ASCII: lower-casing maps some letters of other alphabets to ASCII (the Kelvin sign becomes
 * a k), so one person could be mistaken for another. Such domains have an `xn--` form.
 */
const address =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?=.{1,190}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/

/**
 * An e-mail address in lower case, the form in which members are looked up. Throws invalid_request
 * for anything else.
 */
export function parseEmail(text: string): string {
  const trimmed = text.trim()
  // Checked before it is lower-cased, for the reason above.
  if (/^[\x21-\x7e]{3,255}$/.test(trimmed)) {
    const small = trimmed.toLowerCase()
    if (address.test(small)) return small
  }
  throw new ToolError(
    'invalid_request',
    `${JSON.stringify(text.slice(0, 100))} is not an e-mail address`,
    { fix: 'Write it like ada@example.com; a domain with other letters in its xn-- form.' },
  )
}

/** An address that a provider vouches for: used exactly as it was verified. */
export function parseVouchedEmail(text: string): string {
  if (text === text.trim()) return parseEmail(text)
  throw new ToolError(
    'invalid_request',
    `${JSON.stringify(text.slice(0, 100))} has a space at its start or end`,
    {
      fix: 'Have the provider send the address without spaces.',
    },
  )
}
