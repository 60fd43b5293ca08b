import type { Issue } from '../../api/problem.ts'
import { concreteSchema } from './concrete.ts'
import type { DrawnPlace } from './drawn.ts'
import { findFaults } from './form-model.ts'
import type { FormModel } from './form-model.ts'
import { childPointer, isWithin, pointerParts } from './pointer.ts'
import { formatConstant } from './labels/labels.ts'
import { isUploadUri } from './upload-uri.ts'
import { isRecord, schemasOf, stringsOf, textOf } from './schema.ts'
import type { Schema } from './schema.ts'

/** The issues of an input, each at its place, in plain words. At most one for a place. */
export function findIssues(model: FormModel, place: DrawnPlace): Issue[] {
  const schema = concreteSchema(model, model.root, place)
  const found = new Map<string, string>()
  const faults = findFaults(model, schema, place.value)
  const closed: string[] = []
  for (const { keyword, keywordLocation, instanceLocation, error } of faults) {
    if (applicators.has(keyword)) continue
    if (closed.some((outer) => keywordLocation !== outer && isWithin(keywordLocation, outer)))
      continue
    if (wholes.has(keyword)) closed.push(keywordLocation)
    const limit = at(schema, keywordLocation)
    const around = at(schema, keywordLocation.slice(0, keywordLocation.lastIndexOf('/')))
    const pointer = toPointer(instanceLocation)
    const value = valueAt(place.value, pointer)
    // It refers to a file, whose content the server checks.
    if (isUploadUri(value)) continue
    for (const issue of toIssues({ keyword, limit, around, pointer, value, error })) {
      if (!found.has(issue.pointer)) found.set(issue.pointer, issue.message)
    }
  }
  return [...found].map(([pointer, message]) => ({ pointer, message }))
}

/** These only repeat that something below is wrong, which is reported there. */
const applicators = new Set(['properties', 'prefixItems', 'items', 'allOf', '$ref'])
/** Issues inside these cannot be corrected in the form. */
const wholes = new Set(['anyOf', 'oneOf', 'not', 'contains', 'propertyNames', 'minContains'])

interface Fault {
  keyword: string
  limit: unknown
  /** The schema that the keyword is in. */
  around: unknown
  pointer: string
  value: unknown
  error: string
}

function toIssues(fault: Fault): Issue[] {
  const { keyword, limit, pointer, value, error } = fault
  if (keyword === 'required') {
    const missing = /required property "(.*)"\.$/s.exec(error)?.[1]
    const keys = missing === undefined ? stringsOf(limit) : [missing]
    return keys.map((key) => ({ pointer: childPointer(pointer, key), message: missingMessage }))
  }
  const isEmpty = value === null || value === ''
  const message = isEmpty && keyword !== 'enum' ? missingMessage : toMessage(fault)
  return [{ pointer, message: value === null ? missingMessage : message }]
}

const missingMessage = 'Fill this in'

const says: Record<string, (limit: unknown) => string> = {
  minLength: (n) => `At least ${count(n, 'character')}`,
  maxLength: (n) => `At most ${count(n, 'character')}`,
  minimum: (n) => `At least ${String(n)}`,
  maximum: (n) => `At most ${String(n)}`,
  exclusiveMinimum: (n) => `More than ${String(n)}`,
  exclusiveMaximum: (n) => `Less than ${String(n)}`,
  multipleOf: (n) => (n === 1 ? 'A whole number' : `A multiple of ${String(n)}`),
  minItems: (n) => `At least ${count(n, 'item')}`,
  maxItems: (n) => `At most ${count(n, 'item')}`,
  uniqueItems: () => 'Each item once only',
  minProperties: (n) => `At least ${count(n, 'entry')}`,
  maxProperties: (n) => `At most ${count(n, 'entry')}`,
  format: (format) => formatNames[String(format)] ?? `Not in the format ${String(format)}`,
  enum: () => 'Choose one of the options',
  const: (value) => `Must be ${formatConstant(value)}`,
  type: (type) => `Must be ${typeNames[String(type)] ?? String(type)}`,
  false: () => 'Must be empty',
  not: () => 'This combination is not allowed',
  contains: () => 'A required item is missing from the list',
  propertyNames: () => 'One of the names is not allowed',
  anyOf: (options) => describeAlternatives('At least one of these is needed', options),
  oneOf: (options) => describeAlternatives('Exactly one of these is needed', options),
}

const formatNames: Record<string, string> = {
  email: 'Not an email address',
  'idn-email': 'Not an email address',
  uri: 'Not a web address: it begins with https://',
  url: 'Not a web address: it begins with https://',
  uuid: 'Not a UUID',
  date: 'Not a date: YYYY-MM-DD',
  time: 'Not a time with its zone, such as 10:30:00Z',
  'date-time': 'Not a date and time with its zone',
  ipv4: 'Not an IPv4 address',
  ipv6: 'Not an IPv6 address',
  hostname: 'Not a host name',
  regex: 'Not a regular expression',
  duration: 'Not a duration, such as P1D',
}

const typeNames: Record<string, string> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'yes or no',
  object: 'an object',
  array: 'a list',
  null: 'empty',
}

function toMessage({ keyword, limit, around, error }: Fault): string {
  const own = isRecord(around) ? ownMessage(around, keyword) : undefined
  if (own !== undefined) return own
  if (keyword === 'pattern') return describeExpected(around)
  const say = Object.hasOwn(says, keyword) ? says[keyword] : undefined
  return say === undefined ? error : say(limit)
}

/** The schema's own error message: one text, or one per keyword. */
function ownMessage(schema: Record<string, unknown>, keyword: string): string | undefined {
  const { errorMessage } = schema
  return textOf(isRecord(errorMessage) ? errorMessage[keyword] : errorMessage)
}

/** A regular expression does not help people; an example does. */
function describeExpected(schema: unknown): string {
  const examples = isRecord(schema) ? schema['examples'] : undefined
  const [example] = Array.isArray(examples) ? (examples as unknown[]) : []
  return typeof example === 'string'
    ? `Not in the expected format, such as ${example}`
    : 'Not in the expected format'
}

function describeAlternatives(sentence: string, options: unknown): string {
  const sets = schemasOf(options).map((option) =>
    isRecord(option) ? stringsOf(option['required']).join(' and ') : '',
  )
  return sets.includes('')
    ? 'This combination is not allowed'
    : `${sentence}: ${sets.join(', or ')}`
}

function count(number: unknown, noun: string): string {
  if (number === 1) return `1 ${noun}`
  return `${String(number)} ${noun === 'entry' ? 'entries' : `${noun}s`}`
}

/** `#/a/b` → `/a/b`, decoded. */
function toPointer(location: string): string {
  try {
    return decodeURIComponent(location.slice(1))
  } catch {
    return location.slice(1)
  }
}

function at(schema: Schema, location: string): unknown {
  return valueAt(schema, toPointer(location))
}

function valueAt(start: unknown, pointer: string): unknown {
  let current = start
  for (const part of pointerParts(pointer)) {
    if (typeof current !== 'object' || current === null) return undefined
    current = (current as Record<string, unknown>)[part]
  }
  return current
}
