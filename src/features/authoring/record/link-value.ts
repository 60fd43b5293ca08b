import { pointerStep } from '../../../core/kernel/json/json-pointer.ts'
import { isRecord } from '../../../core/kernel/json/json-type.ts'
import type { JsonSchema, JsonValue } from '../../../core/kernel/json.ts'
import { isRedacted } from '../../../core/secrets/is-redacted.ts'
import { resolveReferences, type ReferenceRoots } from '../../../core/shapes/resolve-references.ts'
import { schemaAt } from '../../../core/shapes/schema-at.ts'
import type { WantedInput } from './draft-inputs.ts'
import { mustHide } from './hidden-values.ts'
import type { KnownValues } from './known-values.ts'
import { escapeReferences } from './value-path.ts'

/** A recorded value that stays as it is. */
export interface Constant {
  /** A JSON pointer below the step: `/input/id`. */
  pointer: string
  value: string | number | boolean
  /** Several values that are known are equal to it, so none of them is taken. */
  isAmbiguous: boolean
}

/** The surroundings in which the values of one step are read. */
export interface Linking {
  known: KnownValues
  /** When the step began. */
  startedAt: number
  /** Of its tool. */
  inputSchema: JsonSchema | undefined
  /**
   * The name of the input for a value that people are to give, because they wrote it or somebody marked it; '' for the name of its field. Undefined for any other value.
   */
  asked(pointer: string, value: JsonValue): string | undefined
  /** The path of a new input; undefined if there can be no more. */
  toInput(wanted: WantedInput): string | undefined
  /** The values as they are on record, to try out what a text becomes. */
  roots(): ReferenceRoots
  onConstant(constant: Constant): void
}

interface Place {
  keys: readonly string[]
  pointer: string
  name: string | undefined
}

/** The input of a step with references in place of values that are known from before. */
export function linkInput(
  input: { [key: string]: JsonValue },
  linking: Linking,
): { [key: string]: JsonValue } {
  const members = Object.entries(input).map(([key, value]) => {
    const place = { keys: [key], pointer: pointerStep('/input', key), name: key }
    return [key, linkValue(value, place, linking)] as const
  })
  return Object.fromEntries(members)
}

/** A value with references in place of what is known. */
export function linkValue(value: JsonValue, place: Place, linking: Linking): JsonValue {
  const schema = schemaOf(place, linking)
  const path = isRedacted(value) ? undefined : findPath(value, { place, schema }, linking)
  if (path !== undefined) return `{{${path}}}`
  if (mustHide(place.name, value)) {
    const input = linking.toInput({ name: place.name ?? 'value', value, schema, isHidden: true })
    return input === undefined ? '' : `{{${input}}}`
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => linkValue(item, within(place, String(index)), linking))
  }
  if (isRecord(value)) {
    const entries = Object.entries(value)
    const linked = entries.map(([key, member]) => {
      const inner = { ...within(place, key), name: key }
      return [key, linkValue(member, inner, linking)] as const
    })
    return Object.fromEntries(linked)
  }
  return keep(value, place, linking)
}

function within({ keys, pointer, name }: Place, key: string): Place {
  return { keys: [...keys, key], pointer: pointerStep(pointer, key), name }
}

function schemaOf({ keys }: Place, { inputSchema }: Linking): JsonSchema | undefined {
  const at = schemaAt(inputSchema, keys)
  return at.kind === 'found' ? at.schema : undefined
}

function findPath(
  value: JsonValue,
  { place, schema }: { place: Place; schema: JsonSchema | undefined },
  linking: Linking,
): string | undefined {
  const { known, startedAt } = linking
  const { name = 'value', pointer } = place
  const found = known.find(value, { name: place.name, schema, startedAt })
  if (found === 'ambiguous') {
    if (typeof value === 'string' || typeof value === 'number')
      linking.onConstant({ pointer, value, isAmbiguous: true })
  } else if (found !== undefined) return found.path
  const asked = mustHide(place.name, value) ? undefined : linking.asked(pointer, value)
  if (asked === undefined) return undefined
  return linking.toInput({ name: asked === '' ? name : asked, value, schema, isHidden: false })
}

/** A text may hold known values; the rest of it stays. */
function keep(value: JsonValue, { name, pointer }: Place, linking: Linking): JsonValue {
  if (typeof value === 'string') {
    const text = linkText(value, name, linking)
    if (text !== undefined) return text
  }
  if (value !== null && typeof value !== 'object')
    linking.onConstant({ pointer, value, isAmbiguous: false })
  return typeof value === 'string' ? escapeReferences(value) : value
}

/** More references in one text would be read by nobody. */
const maxInText = 50
const maxTextChars = 100_000

/** A text with references in it, if they give exactly this text; else undefined. */
function linkText(text: string, name: string | undefined, linking: Linking): string | undefined {
  if (text.length > maxTextChars) return undefined
  const { known, startedAt } = linking
  let linked = ''
  let from = 0
  let count = 0
  for (let at = 0; at < text.length && count < maxInText; at += 1) {
    const part = known.findWithin(text, at)
    if (part === undefined) continue
    const found = known.findText(part, { name, startedAt })
    if (found === undefined || found === 'ambiguous') continue
    linked += `${escapeReferences(text.slice(from, at))}{{${found.path}}}`
    from = at + part.length
    at = from - 1
    count += 1
  }
  if (count === 0) return undefined
  linked += escapeReferences(text.slice(from))
  return resolveReferences(linked, linking.roots()) === text ? linked : undefined
}
