import { chooseOption, discriminatorOf } from './choose-option.ts'
import type { FormModel } from './form-model.ts'
import type { Maybe } from './pointer.ts'
import { ShapeMaker } from './shape.ts'
import type { Shape, Union } from './shape.ts'
import { isRecord, typesOf } from './schema.ts'
import type { Schema, SchemaObject } from './schema.ts'

/** Which option a person has picked last, by the key of its picker. */
export type Picks = ReadonlyMap<string, number>

export const noPicks: Picks = new Map()

/** A choice between options, shown before the fields of the chosen one. */
export interface Picker {
  key: string
  union: Union
  index: number
  /** The property that tells the options apart; the picker stands for it. */
  discriminator: string | undefined
}

/** A shape with an option chosen wherever there are several. */
export interface Drawn extends Shape {
  pickers: readonly Picker[]
}

export interface DrawnPlace {
  value: Maybe
  pointer: string
  picks: Picks
}

const plain = new WeakMap<FormModel, WeakMap<SchemaObject, Drawn>>()

/**
 * The schema that is drawn, filled in and checked at a place. The same object where nothing depends on the
 * value.
 */
export function drawnAt(model: FormModel, schema: Schema, place: DrawnPlace): Drawn {
  const known = isRecord(schema) ? cacheOf(model).get(schema) : undefined
  if (known !== undefined) return known
  const maker = new ShapeMaker(model, place.value)
  maker.add(schema)
  const pickers: Picker[] = []
  for (let at = 0; at < maker.shape.unions.length; at += 1) {
    const union = maker.shape.unions[at]
    if (union === undefined || at > maxPickers) break
    const picker = toPicker(model, union, { ...place, pointer: `${place.pointer}#${at}` })
    pickers.push(picker)
    const { title, description } = maker.shape.schema
    maker.addOption(union.options[picker.index] ?? true, union.isNullable)
    // The option has a name of its own; the place keeps its.
    maker.shape.schema = { ...maker.shape.schema, title, description }
  }
  const shape = maker.finish()
  const types = typesOf(shape.schema)
  const drawn = { ...shape, pickers: [...pickers] }
  if (types.length > 1 && !('enum' in shape.schema)) addTypePicker(model, drawn, place)
  const isPlain = !shape.isConditional && drawn.pickers.length === 0
  if (isPlain && isRecord(schema)) cacheOf(model).set(schema, drawn)
  return drawn
}

const maxPickers = 8

function cacheOf(model: FormModel): WeakMap<SchemaObject, Drawn> {
  let cache = plain.get(model)
  if (cache === undefined) plain.set(model, (cache = new WeakMap()))
  return cache
}

function toPicker(model: FormModel, union: Union, place: DrawnPlace): Picker {
  const key = place.pointer
  const pick = place.picks.get(key)
  const index = chooseOption(model, union.options, { value: place.value, pick })
  return { key, union, index, discriminator: discriminatorOf(model, union.options) }
}

const typeOptions: Record<string, SchemaObject> = Object.fromEntries(
  ['string', 'number', 'integer', 'boolean', 'object', 'array'].map((type) => [type, { type }]),
)

/** `type: ['string', 'number']` is a choice, too. */
function addTypePicker(
  model: FormModel,
  drawn: Drawn & { pickers: Picker[] },
  place: DrawnPlace,
): void {
  const types = typesOf(drawn.schema).filter((type) => Object.hasOwn(typeOptions, type))
  const kept = types.includes('number') ? types.filter((type) => type !== 'integer') : types
  const union = {
    options: kept.map((type) => typeOptions[type] ?? true),
    isNullable: drawn.isNullable,
  }
  if (kept.length > 1) {
    const picker = toPicker(model, union, { ...place, pointer: `${place.pointer}#type` })
    drawn.pickers.push(picker)
    drawn.schema = { ...drawn.schema, type: kept[picker.index] }
  } else drawn.schema = { ...drawn.schema, type: kept[0] }
}
