import { isDeepEqual } from '../../../core/kernel/json/deep-equal.ts'
import { isRecord } from '../../../core/kernel/json/json-type.ts'
import type { JsonSchema, JsonValue } from '../../../core/kernel/json.ts'
import { isMark } from '../../../core/secrets/is-redacted.ts'
import { toKey } from '../curl/draft-names.ts'
import { mustHide, withoutHidden } from './hidden-values.ts'

/** A value that is to be asked for. */
export interface WantedInput {
  name: string
  value: JsonValue
  /** Of the field that takes it. */
  schema: JsonSchema | undefined
  /** Its value stays out of the document. */
  isHidden: boolean
}

/** More would be a form that nobody fills in. */
const maxInputs = 30

/** The inputs of the drafted tool, with their values on record. */
export class DraftInputs {
  /** With marks in place of what the record hides: what a replay begins with. */
  readonly recorded: { [name: string]: JsonValue }
  readonly #properties: { [name: string]: JsonSchema } = {}
  readonly #given: JsonSchema | undefined
  readonly #hidden = new Set<string>()

  /** `whole` is the input of the call that made all others, which the tool takes as it is. */
  constructor(whole?: { input: JsonValue; inputSchema: JsonSchema }) {
    const input = isRecord(whole?.input) ? whole.input : {}
    this.recorded = { ...input }
    this.#given = whole?.inputSchema
    for (const [name, value] of Object.entries(input)) {
      if (isMark(value) || mustHide(name, value)) this.#hidden.add(name)
    }
  }

  get schema(): JsonSchema {
    const given = this.#given ?? { type: 'object', additionalProperties: false }
    const properties = isRecord(given['properties']) ? given['properties'] : {}
    const required = Array.isArray(given['required']) ? (given['required'] as string[]) : []
    return {
      ...given,
      properties: { ...properties, ...this.#properties },
      required: [...required, ...Object.keys(this.#properties)],
    }
  }

  /** The values without those that are hidden: for examples and tests. */
  get shown(): { [name: string]: JsonValue } {
    const { value } = withoutHidden(this.recorded)
    const entries = Object.entries(value as { [name: string]: JsonValue })
    return Object.fromEntries(entries.filter(([name]) => !this.#hidden.has(name)))
  }

  get hidden(): readonly string[] {
    return [...this.#hidden]
  }

  /** The name of the input for this value; undefined if there are too many. */
  add({ name, value, schema, isHidden }: WantedInput): string | undefined {
    const known = this.#find({ name, value, isHidden })
    if (known !== undefined) return known
    if (Object.keys(this.#properties).length >= maxInputs) return undefined
    const free = this.#freeName(toKey(name))
    this.#properties[free] = toProperty(schema, value)
    this.recorded[free] = value
    if (isHidden) this.#hidden.add(free)
    return free
  }

  /** Hidden values all look alike, so they are compared by name. */
  #find({ name, value, isHidden }: Omit<WantedInput, 'schema'>): string | undefined {
    if (isHidden) {
      const key = [name, toKey(name)].find((one) => this.#hidden.has(one))
      return key !== undefined && isDeepEqual(this.recorded[key], value) ? key : undefined
    }
    const names = Object.keys(this.#properties)
    return names.find((one) => isDeepEqual(this.recorded[one], value) && !this.#hidden.has(one))
  }

  #freeName(base: string): string {
    let name = base
    for (let count = 2; Object.hasOwn(this.recorded, name) || this.#isGiven(name); count += 1) {
      name = `${base}_${count}`
    }
    return name
  }

  #isGiven(name: string): boolean {
    const properties = this.#given?.['properties']
    return isRecord(properties) && Object.hasOwn(properties, name)
  }
}

/** As its field is, if that is known: with its description, bounds, and whether it is secret. */
function toProperty(schema: JsonSchema | undefined, value: JsonValue): JsonSchema {
  if (
    schema !== undefined &&
    Object.keys(schema).length > 0 &&
    !JSON.stringify(schema).includes('$ref')
  )
    return schema
  if (typeof value === 'number') return { type: Number.isInteger(value) ? 'integer' : 'number' }
  if (Array.isArray(value)) return { type: 'array' }
  return { type: value === null ? 'string' : typeof value }
}
