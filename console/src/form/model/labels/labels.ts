import { withAcronyms } from '../../../ui/format/acronyms.ts'
import { constantOf, optionShape, typesOfOption } from '../choose-option.ts'
import type { Picker } from '../drawn.ts'
import type { FormModel } from '../form-model.ts'
import { choiceTitles } from '../shape.ts'
import { isRecord, schemaEntries, textOf } from '../schema.ts'
import type { Schema, SchemaObject } from '../schema.ts'

/** `hourlyRate`, `hourly_rate` and `hourly-rate` → `Hourly rate`; `API key` stays. */
export function toLabel(key: string): string {
  const spaced = key
    .replaceAll(
      /([\p{Ll}\d])(\p{Lu})(?=\p{Ll})/gu,
      (_, before, after) => `${before} ${after.toLowerCase()}`,
    )
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replaceAll(/[._-]+/g, ' ')
    .trim()
  if (spaced === '') return key
  const words = withAcronyms(spaced)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** One of a list: `Tasks` → `Task`. */
export function toSingular(label: string): string {
  if (/people$/i.test(label)) return label.replace(/eople$/i, 'erson')
  if (/children$/i.test(label)) return label.replace(/ren$/i, '')
  if (/(?:ss|us|is)$/i.test(label) || !/^[\p{ASCII}]+$/u.test(label)) return label
  if (/ies$/i.test(label)) return label.replace(/ies$/i, 'y')
  if (/(?:ch|sh|x|ss)es$/i.test(label)) return label.slice(0, -2)
  return label.replace(/s$/i, '')
}

const typeNames: Record<string, string> = {
  string: 'Text',
  number: 'Number',
  integer: 'Whole number',
  boolean: 'Yes or no',
  object: 'Object',
  array: 'List',
  null: 'Nothing',
}

/** The labels of a picker's options: title, constant, name of the reference, or type. */
export function optionLabels(model: FormModel, { union, discriminator }: Picker): string[] {
  const labels = union.options.map((option, index) => {
    const { schema } = optionShape(model, option)
    const title = textOf(schema['title'])
    if (title !== undefined) return title
    const constant = discriminator && constantOf(model, option, discriminator)
    if (constant) return toLabel(constant.replaceAll('"', ''))
    return nameOf(option) ?? describeOption(model, option) ?? `Option ${index + 1}`
  })
  return labels.map((label, index) =>
    labels.indexOf(label) === index ? label : `${label} (${index + 1})`,
  )
}

function nameOf(option: Schema): string | undefined {
  const reference = isRecord(option) ? textOf(option['$ref']) : undefined
  const name = reference?.split(/[/#]/).at(-1)
  return name === undefined || name === '' ? undefined : toLabel(name)
}

function describeOption(model: FormModel, option: Schema): string | undefined {
  const { schema } = optionShape(model, option)
  if ('const' in schema) return String(schema['const'])
  const [type] = typesOfOption(model, option)
  const keys = schemaEntries(schema['properties']).map(([key]) => toLabel(key))
  if (keys.length > 0) return keys.slice(0, 2).join(', ')
  return type === undefined ? undefined : typeNames[type]
}

/** One of the values of an `enum`. */
export interface Choice {
  /** The value as JSON. */
  key: string
  label: string
}

const choices = new WeakMap<unknown[], Choice[]>()

export function choicesOf(schema: SchemaObject): Choice[] {
  const values = schema['enum']
  if (!Array.isArray(values)) return []
  const known = choices.get(values)
  if (known !== undefined) return known
  const titles = isRecord(schema[choiceTitles]) ? schema[choiceTitles] : {}
  const names = Array.isArray(schema['enumNames']) ? schema['enumNames'] : []
  const made = new Map<string, Choice>()
  for (const [index, value] of values.entries()) {
    const key = JSON.stringify(value)
    const label = textOf(titles[key]) ?? textOf(names[index]) ?? formatConstant(value)
    if (!made.has(key)) made.set(key, { key, label })
  }
  const list = [...made.values()]
  choices.set(values, list)
  return list
}

/** A value in a few characters. */
export function formatConstant(value: unknown): string {
  if (typeof value === 'string') return value === '' ? '(empty)' : value
  return JSON.stringify(value) ?? ''
}
