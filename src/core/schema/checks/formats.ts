import { isEmail, isHostname, isIpv4, isIpv6, isUri, isUriReference } from './addresses.ts'
import { duration, isDate, isDateTime, isTime } from './moments.ts'

/** Checks take linear time; the limits keep the worst far under a millisecond. */
const maxFormatLength = 2048
const longFormats: ReadonlySet<string> = new Set(['uri', 'uri-reference'])
const maxLongFormatLength = 16_384

const uuid = /^(?:urn:uuid:)?[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i
const jsonPointer = /^(?:\/(?:[^~/]|~[01])*)*$/

/** A format that is checked, and the phrase for it in messages. */
export interface FormatCheck {
  readonly phrase: string
  test(text: string): boolean
}

const formats: Readonly<Record<string, FormatCheck>> = {
  date: { phrase: 'a date like 2026-01-31', test: isDate },
  time: { phrase: 'a time with its zone, like 10:30:00Z', test: isTime },
  'date-time': {
    phrase: 'a date and time with its zone, like 2026-01-31T10:30:00Z',
    test: isDateTime,
  },
  duration: byPattern('an ISO 8601 duration like PT15M', duration),
  uri: { phrase: 'a full address like https://example.com', test: isUri },
  'uri-reference': { phrase: 'an address, full or relative', test: isUriReference },
  email: { phrase: 'an email address', test: isEmail },
  hostname: { phrase: 'a host name', test: isHostname },
  ipv4: { phrase: 'an IPv4 address', test: isIpv4 },
  ipv6: { phrase: 'an IPv6 address', test: isIpv6 },
  uuid: byPattern('a UUID', uuid),
  'json-pointer': byPattern('a JSON pointer like /a/0', jsonPointer),
}

/** The check of a format; undefined for formats that are only annotations. */
export function findFormat(name: string): FormatCheck | undefined {
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined
  if (format === undefined) return undefined
  const limit = longFormats.has(name) ? maxLongFormatLength : maxFormatLength
  return { ...format, test: (text) => text.length <= limit && format.test(text) }
}

function byPattern(phrase: string, pattern: RegExp): FormatCheck {
  return { phrase, test: (text) => pattern.test(text) }
}
