import { fits } from './form-model.ts'
import type { FormModel } from './form-model.ts'
import type { Maybe } from './pointer.ts'
import { ShapeMaker } from './shape.ts'
import type { Shape } from './shape.ts'
import { isOfType, isRecord, schemaEntries, typesOf } from './schema.ts'
import type { Schema, SchemaObject } from './schema.ts'

interface Choosing {
  value: Maybe
  /** The last pick of a person. */
  pick: number | undefined
}

/**
 * Which of several schemas a value is meant for: the one whose constant it carries, else the one that
 * was picked, unless the value is of another type, else the first that it fits, else the nearest.
 */
export function chooseOption(
  model: FormModel,
  options: readonly Schema[],
  { value, pick }: Choosing,
): number {
  const byConstant = findByConstant(model, options, value)
  if (byConstant !== undefined) return byConstant
  const picked = pick === undefined ? undefined : options[pick]
  if (pick !== undefined && picked !== undefined && mayHold(model, picked, value)) return pick
  if (value === undefined || value === null) return pick ?? 0
  const fitting = options.findIndex((option) => fits(model, option, value))
  return fitting === -1 ? findNearest(model, options, value) : fitting
}

const discriminators = new WeakMap<readonly Schema[], string | undefined>()

/** The property that has another constant in each of the options. */
export function discriminatorOf(model: FormModel, options: readonly Schema[]): string | undefined {
  if (!discriminators.has(options)) discriminators.set(options, findDiscriminator(model, options))
  return discriminators.get(options)
}

/** The constant of a property in one option, as JSON. */
export function constantOf(model: FormModel, option: Schema, key: string): string | undefined {
  const properties = optionShape(model, option).schema['properties']
  const property = schemaEntries(properties).find(([name]) => name === key)?.[1]
  return property === undefined ? undefined : onlyValueOf(optionShape(model, property).schema)
}

const shapes = new WeakMap<SchemaObject, Shape>()

/** The shape of an option by itself, whatever the value. */
export function optionShape(model: FormModel, option: Schema): Shape {
  const known = isRecord(option) ? shapes.get(option) : undefined
  if (known !== undefined) return known
  const maker = new ShapeMaker(model, undefined)
  maker.add(option)
  const shape = maker.finish()
  if (isRecord(option)) shapes.set(option, shape)
  return shape
}

/** The types an option accepts: declared, or implied by its keywords. */
export function typesOfOption(model: FormModel, option: Schema): string[] {
  const { schema } = optionShape(model, option)
  const types = typesOf(schema)
  if (types.length > 0) return types
  if ('properties' in schema || 'required' in schema || 'patternProperties' in schema) {
    return ['object']
  }
  return 'items' in schema || 'prefixItems' in schema ? ['array'] : []
}

function onlyValueOf(schema: SchemaObject): string | undefined {
  if ('const' in schema) return JSON.stringify(schema['const'])
  const values = schema['enum']
  return Array.isArray(values) && values.length === 1 ? JSON.stringify(values[0]) : undefined
}

function findDiscriminator(model: FormModel, options: readonly Schema[]): string | undefined {
  const [first] = options
  if (first === undefined || options.length < 2) return undefined
  const names = schemaEntries(optionShape(model, first).schema['properties']).map(([name]) => name)
  return names.find((name) => {
    const constants = options.map((option) => constantOf(model, option, name))
    return !constants.includes(undefined) && new Set(constants).size === options.length
  })
}

function findByConstant(
  model: FormModel,
  options: readonly Schema[],
  value: Maybe,
): number | undefined {
  const key = discriminatorOf(model, options)
  if (key === undefined || !isRecord(value) || !Object.hasOwn(value, key)) return undefined
  const text = JSON.stringify(value[key])
  const index = options.findIndex((option) => constantOf(model, option, key) === text)
  return index === -1 ? undefined : index
}

function mayHold(model: FormModel, option: Schema, value: Maybe): boolean {
  if (value === undefined || value === null) return true
  const { schema } = optionShape(model, option)
  const only = onlyValueOf(schema)
  if (only !== undefined) return only === JSON.stringify(value)
  return isOfType(value, typesOfOption(model, option))
}

/** Of the right type, and with the most keys that are known there. */
function findNearest(model: FormModel, options: readonly Schema[], value: Maybe): number {
  const keys = isRecord(value) ? Object.keys(value) : []
  const scores = options.map((option) => {
    if (!mayHold(model, option, value)) return -1
    const known = new Set(
      schemaEntries(optionShape(model, option).schema['properties']).map(([name]) => name),
    )
    return keys.filter((key) => known.has(key)).length
  })
  return scores.indexOf(Math.max(...scores))
}
