import { ToolError } from '../errors.ts'

/**
 * Plain ASCII: letters of other alphabets turn into ours when they are made small (the Kelvin sign
 * is a k then), so that one person could be taken for another. Such domains have an `xn--` form.
 */
const address =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?=.{1,190}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/

/** An e-mail address in small letters, as members are found by it. Throws invalid_request for what is none. */
export function parseEmail(text: string): string {
  const trimmed = text.trim()
  // Checked before letters are made small, for the reason above.
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

/** An address that somebody else vouches for: taken as it stands, so that what they checked is what is used. */
export function parseVouchedEmail(text: string): string {
  if (text === text.trim()) return parseEmail(text)
  throw new ToolError(
    'invalid_request',
    `${JSON.stringify(text.slice(0, 100))} has a blank in it`,
    {
      fix: 'Let the provider send the address without blanks.',
    },
  )
}
