import { z } from 'zod'
import type { CommandSpec } from '../../../core/operations/command-spec.ts'
import type { Operation } from '../../../core/operations/operation.ts'
import type { OptionSpec } from '../command.ts'

/** How the text of an option becomes a value. */
export type FieldKind = 'text' | 'texts' | 'number' | 'decimal' | 'flag' | 'switch' | 'json'

/** A field of an operation's input, as an option of a command. */
export interface InputField {
  /** Where it goes: the keys that lead to it in the query or the body. */
  path: readonly string[]
  place: 'query' | 'body'
  kind: FieldKind
  isRequired: boolean
  min?: number
  max?: number
  /** The word that stands for an empty list. */
  emptyAs?: string
  /** What is sent when the option is not given. */
  fallback?: string
  /** What a switch stands for. */
  value?: unknown
  option: OptionSpec
}

/** What we read of a JSON Schema. */
interface FieldSchema {
  type?: string
  description?: string
  enum?: readonly string[]
  minimum?: number
  maximum?: number
  items?: FieldSchema
  properties?: Readonly<Record<string, FieldSchema>>
  required?: readonly string[]
  $ref?: string
  anyOf?: readonly FieldSchema[]
}

/** The options of a command by name. The fields of an object are options of their own. */
export function inputFields(operation: Operation, spec: CommandSpec): Map<string, InputField> {
  const fields = new Map<string, InputField>()
  const taken = new Set([...(spec.words ?? []), ...(spec.without ?? [])])
  const add = (place: InputField['place'], schema: FieldSchema, path: readonly string[]) => {
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      const isRequired = path.length === 0 && schema.required?.includes(name) === true
      if (path.length === 0 && taken.has(name)) continue
      if (field.properties !== undefined) add(place, field, [...path, name])
      else fields.set(toFlag(name), toField({ place, path: [...path, name], isRequired }, field))
    }
  }
  if (operation.query !== undefined) add('query', toSchema(operation.query), [])
  if (operation.body !== undefined) add('body', toBodySchema(operation.body, spec), [])
  // A list is read to its end; whoever wants less says so with a limit.
  fields.delete('after')
  for (const [name, { emptyAs, flag, default: fallback, ...option }] of Object.entries(
    spec.options ?? {},
  )) {
    const field = fields.get(name)
    if (field === undefined) continue
    fields.delete(name)
    const isRequired = field.isRequired && fallback === undefined
    const shown = { ...field.option, ...option }
    fields.set(flag ?? name, { ...field, isRequired, emptyAs, fallback, option: shown })
  }
  for (const [flag, { field, value, summary }] of Object.entries(spec.switches ?? {})) {
    const option: OptionSpec = { type: 'boolean', summary }
    const at = { place: 'body', path: [field], isRequired: false } as const
    fields.set(flag, { ...at, kind: 'switch', value, option })
  }
  return fields
}

/** A command that stands for one change offers the fields it `takes`, and no other. */
function toBodySchema(body: z.ZodType, { sets, takes = [] }: CommandSpec): FieldSchema {
  const { properties = {}, ...schema } = toSchema(body)
  if (sets === undefined) return { ...schema, properties }
  const offered = Object.entries(properties).filter(([name]) => takes.includes(name))
  return { ...schema, properties: Object.fromEntries(offered) }
}

function toSchema(schema: z.ZodType): FieldSchema {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' })
  return resolve(json as FieldSchema, (json.$defs ?? {}) as Readonly<Record<string, FieldSchema>>)
}

/** Puts named schemas in place of what refers to them, and `X` for `X or null`. */
function resolve(
  { $ref, anyOf, ...schema }: FieldSchema,
  named: Readonly<Record<string, FieldSchema>>,
): FieldSchema {
  const target = named[$ref?.split('/').at(-1) ?? '']
  if (target !== undefined) return resolve({ ...target, ...schema }, named)
  const [only, ...others] = anyOf?.filter(({ type }) => type !== 'null') ?? []
  if (only !== undefined && others.length === 0) return resolve({ ...only, ...schema }, named)
  if (schema.properties === undefined) return schema
  const properties = Object.entries(schema.properties).map(([name, field]) => [
    name,
    resolve(field, named),
  ])
  return { ...schema, properties: Object.fromEntries(properties) }
}

function toField(
  at: Pick<InputField, 'place' | 'path' | 'isRequired'>,
  schema: FieldSchema,
): InputField {
  const kind = kindOf(schema)
  const { description = '', minimum: min, maximum: max } = schema
  const words = description.charAt(0).toLowerCase() + description.slice(1).replaceAll('`', '')
  const summary = kind === 'json' ? `${words}; JSON, @file, or - for stdin` : words
  const option: OptionSpec = {
    type: kind === 'flag' ? 'boolean' : 'string',
    summary,
    ...(kind !== 'flag' && { value: placeholders[kind] ?? at.path.at(-1)?.toUpperCase() }),
    ...(kind === 'texts' && { multiple: true }),
    ...(schema.enum !== undefined && { choices: schema.enum }),
  }
  return { ...at, kind, min, max, option }
}

const placeholders: Partial<Record<FieldKind, string>> = {
  number: 'N',
  decimal: 'N',
  json: 'JSON',
}

function kindOf({ type, items }: FieldSchema): FieldKind {
  if (type === 'string') return 'text'
  if (type === 'integer') return 'number'
  if (type === 'number') return 'decimal'
  if (type === 'boolean') return 'flag'
  return type === 'array' && items?.type === 'string' ? 'texts' : 'json'
}

/** `maxTurnTokens` → `max-turn-tokens`. */
export function toFlag(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
