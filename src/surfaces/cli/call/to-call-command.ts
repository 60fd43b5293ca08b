import type { JsonSchema, JsonValue } from '../../../core/tool.ts'
import { flagNameOf } from './flag-names.ts'
import { fieldsOf, type InputField, typesOf } from './input-fields.ts'
import { alwaysOwn } from './parse-flags.ts'

/** A command that can be pasted into a shell and makes this call. */
export function toCallCommand(tool: string, schema: JsonSchema, input: JsonValue): string {
  return ['toolcrib', 'call', tool, ...toFlagArgs(schema, input)].map(quote).join(' ')
}

/** The words that say this input: flags where every field is simple, else the whole as JSON. */
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

/** A list of words, or undefined where flags could not say it for certain. */
function toWords(name: string, field: InputField, value: JsonValue): string[] | undefined {
  if (!/^[A-Za-z][\w-]*$/.test(name) || alwaysOwn.has(name)) return undefined
  // A key that may be null is filled with it when it is left out.
  if (value === null) return []
  const types = [...typesOf(field)]
  if (types.length !== 1) return undefined
  if (typeof value === 'boolean') {
    return types[0] === 'boolean' ? [value ? `--${name}` : `--${name}=false`] : undefined
  }
  if (Array.isArray(value)) return toListWords(name, value)
  return isPlain(value) && typeof value === typeNames[types[0] ?? '']
    ? toFlagWords(name, String(value))
    : undefined
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
}

function toListWords(name: string, list: readonly JsonValue[]): string[] {
  const texts = list.filter(isPlain).map(String)
  // Without items, or with one that looks like a list itself, only JSON says what is meant.
  const isUnclear = texts.length === 0 || (texts.length === 1 && texts[0]?.trimStart()[0] === '[')
  if (texts.length < list.length || isUnclear) return [`--${name}=${JSON.stringify(list)}`]
  return texts.flatMap((text) => toFlagWords(name, text))
}

function isPlain(value: JsonValue): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

function toFlagWords(name: string, text: string): string[] {
  return text === '' || text.startsWith('-') ? [`--${name}=${text}`] : [`--${name}`, text]
}

/** Quoted for a POSIX shell when it must be. */
function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
