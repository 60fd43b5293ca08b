import { fullFormats } from 'ajv-formats/dist/formats.js'

/**
 * Formats are JavaScript patterns, some of them quadratic: this keeps the worst under a
 * millisecond.
 */
const maxFormatLength = 2048
const longFormats: ReadonlySet<string> = new Set(['uri', 'uri-reference'])
const maxLongFormatLength = 16_384

const phrases: Readonly<Record<string, string>> = {
  date: 'a date like 2026-01-31',
  time: 'a time with its zone, like 10:30:00Z',
  'date-time': 'a date and time with its zone, like 2026-01-31T10:30:00Z',
  duration: 'an ISO 8601 duration like PT15M',
  uri: 'a full address like https://example.com',
  'uri-reference': 'an address, full or relative',
  email: 'an email address',
  hostname: 'a host name',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  uuid: 'a UUID',
  'json-pointer': 'a JSON pointer like /a/0',
}

/** A format that is checked, and the phrase for it in messages. */
export interface FormatCheck {
  readonly phrase: string
  test(text: string): boolean
}

/** The check of a format; undefined for formats that are only annotations. */
export function findFormat(name: string): FormatCheck | undefined {
  const phrase = Object.hasOwn(phrases, name) ? phrases[name] : undefined
  const definition = fullFormats[name as keyof typeof fullFormats] as FormatDefinition | undefined
  if (phrase === undefined || definition === undefined) return undefined
  const limit = longFormats.has(name) ? maxLongFormatLength : maxFormatLength
  const test = toTest(definition)
  return { phrase, test: (text) => text.length <= limit && test(text) }
}

type Test = (text: string) => boolean
type FormatDefinition = RegExp | Test | { validate: RegExp | Test }

function toTest(definition: FormatDefinition): Test {
  if (typeof definition === 'function') return definition
  if (definition instanceof RegExp) return (text) => definition.test(text)
  return toTest(definition.validate)
}
