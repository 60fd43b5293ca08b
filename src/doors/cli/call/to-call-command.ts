import type { JsonSchema, JsonValue } from '../../../core/kernel/tool.ts'
import { flagNameOf } from './flag-names.ts'
import {
  fieldsOf,
  type InputField,
  isNullable,
  itemOf,
  type SchemaPlace,
  typesOf,
} from './input-fields.ts'
import { alwaysOwn } from './parse-flags.ts'
import { quoteWord } from '../output/quote-word.ts'

/** A command that can be pasted into a shell and makes this call. */
export function toCallCommand(tool: string, schema: JsonSchema, input: JsonValue): string {
  return ['toolcrib', 'call', tool, ...toFlagArgs(schema, input)].map(quoteWord).join(' ')
}

/** The command line for this input: flags if every field is simple, otherwise one JSON text. */
export function toFlagArgs(schema: JsonSchema, input: JsonValue): string[] {
  const whole = ['--input', JSON.stringify(input)]
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return whole
  const fields = fieldsOf({ schema, root: schema })
  const args: string[] = []
  for (const [key, value] of Object.entries(input)) {
    const field = fields.find((one) => one.key === key)
    const name = field === undefined ? undefined : flagNameOf(field, fields)
    const words =
      field === undefined || name === undefined ? undefined : toWords(name, field, value)
    if (words === undefined) return whole
    args.push(...words)
  }
  return args
}

/** The words of one field, or undefined if flags would be ambiguous. */
function toWords(name: string, field: InputField, value: JsonValue): string[] | undefined {
  if (!/^[A-Za-z][\w-]*$/.test(name) || alwaysOwn.has(name)) return undefined
  if (value === null) return isNullable(field) ? [] : undefined
  const types = [...typesOf(field)]
  if (types.length !== 1) return undefined
  if (typeof value === 'boolean' && types[0] === 'boolean') {
    return [value ? `--${name}` : `--${name}=false`]
  }
  if (Array.isArray(value) && types[0] === 'array') return toListWords(name, field, value)
  return isPlain(value, field) ? toFlagWords(name, String(value)) : undefined
}

function toListWords(name: string, field: InputField, list: readonly JsonValue[]): string[] {
  const texts = list.flatMap((value, index) => {
    const item = itemOf(field, index)
    return item !== undefined && isPlain(value, item) ? [String(value)] : []
  })
  // An empty list, or one item that itself looks like a list, is only clear as JSON.
  const isUnclear = texts.length === 0 || (texts.length === 1 && texts[0]?.trimStart()[0] === '[')
  if (texts.length < list.length || isUnclear) return [`--${name}=${JSON.stringify(list)}`]
  return texts.flatMap((text) => toFlagWords(name, text))
}

/** Does the text of the value parse back to this value only? */
function isPlain(value: JsonValue, place: SchemaPlace): value is string | number {
  const [type, ...others] = typesOf(place)
  if (others.length > 0) return false
  if (typeof value === 'number') return type === 'number' || type === 'integer'
  if (typeof value !== 'string' || type !== 'string') return false
  return !isNullable(place) || (value !== '' && value !== 'null')
}

function toFlagWords(name: string, text: string): string[] {
  return text === '' || text.startsWith('-') ? [`--${name}=${text}`] : [`--${name}`, text]
}
