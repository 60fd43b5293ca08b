import { formatNumber } from '../../../ui/format/locale.ts'
import type { Drawn } from '../drawn.ts'
import type { Kind } from '../kinds.ts'
import { isStepped } from '../number-steps.ts'
import { isRecord, numberOf, schemasOf, textOf } from '../schema.ts'
import type { Schema, SchemaObject } from '../schema.ts'

/** The title of a field; that of a type it refers to names the type, and every field of it alike. */
export function titleOf(schema: Schema, drawn: Drawn): string | undefined {
  const own = isRecord(schema) ? textOf(schema['title']) : undefined
  if (own !== undefined || refersTo(schema)) return own
  return textOf(drawn.schema['title'])
}

function refersTo(schema: Schema): boolean {
  if (!isRecord(schema)) return false
  if (typeof schema['$ref'] === 'string') return true
  return ['allOf', 'anyOf', 'oneOf'].some((keyword) => schemasOf(schema[keyword]).some(refersTo))
}

/** The description of a field, unless it only repeats the label. */
export function descriptionOf(
  { schema }: Pick<Drawn, 'schema'>,
  label: string,
): string | undefined {
  const text = textOf(schema['description'])
  return text?.trim().toLowerCase() === label.toLowerCase() ? undefined : text
}

/** Help with the range that a number has to be in: known before it is got wrong. */
export function withRange(
  help: string | undefined,
  kind: Kind,
  { schema, widget }: Pick<Drawn, 'schema'> & { widget: string | undefined },
): string | undefined {
  if (kind !== 'number' || widget === 'slider' || isStepped(schema, widget)) return help
  const range = describeRange(schema)
  if (range === undefined || help === undefined) return range ?? help
  return `${help}${/[.!?]$/.test(help) ? '' : '.'} ${range}`
}

/** Beyond these a bound is that of the type and not of the thing. */
const largest = 1e9

function describeRange(schema: SchemaObject): string | undefined {
  const bound = (keyword: string) => {
    const value = numberOf(schema[keyword])
    return value === undefined || Math.abs(value) >= largest ? undefined : value
  }
  const [min, max] = [bound('minimum'), bound('maximum')]
  if (min !== undefined && max !== undefined)
    return `From ${formatNumber(min)} to ${formatNumber(max)}`
  if (max !== undefined) return `At most ${formatNumber(max)}`
  // A minimum of 0 or 1 needs no hint.
  return min === undefined || min <= 1 ? undefined : `At least ${formatNumber(min)}`
}
