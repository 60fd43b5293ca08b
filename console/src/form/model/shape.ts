import { lookedAt, withDeciders } from './deciders.ts'
import { fits } from './form-model.ts'
import type { FormModel } from './form-model.ts'
import { mergeSchemas } from './merge.ts'
import type { Maybe } from './pointer.ts'
import { isRecord, isSchema, schemaEntries, schemasOf, stringsOf, typesOf } from './schema.ts'
import type { Schema, SchemaObject } from './schema.ts'

/** Several schemas of which one is meant. */
export interface Union {
  options: readonly Schema[]
  /** One more option was null. */
  isNullable: boolean
}

/** A schema with everything applied that applies to a value: references, allOf, conditions. */
export interface Shape {
  /** Without references, combinations and conditions. */
  schema: SchemaObject
  unions: Union[]
  isNullable: boolean
  /** Nothing fits. */
  isNever: boolean
  /** Another value may give another shape. */
  isConditional: boolean
  /** A reference that leads nowhere. */
  lost: string | undefined
}

/** More than any honest schema combines at one place; past it the rest is left to the server. */
const maxParts = 400

/** Collects the keywords that apply to one place, step by step. */
export class ShapeMaker {
  readonly shape: Shape = {
    schema: {},
    unions: [],
    isNullable: false,
    isNever: false,
    isConditional: false,
    lost: undefined,
  }
  private readonly seen = new Set<SchemaObject>()
  private readonly deciders = new Map<string, readonly string[]>()
  private mayBeNull: boolean | undefined
  private readonly model: FormModel
  private readonly value: Maybe

  constructor(model: FormModel, value: Maybe) {
    this.model = model
    this.value = value
  }

  add(schema: Schema): void {
    if (schema === true) return
    if (schema === false) {
      this.shape.isNever = true
      return
    }
    if (this.seen.has(schema) || this.seen.size > maxParts) return
    this.seen.add(schema)
    const reference = schema['$ref'] ?? schema['$dynamicRef'] ?? schema['$recursiveRef']
    if (typeof reference === 'string') this.addReference(reference)
    const parts = schemasOf(schema['allOf'])
    for (const part of parts.filter((one) => !isConditional(one))) this.add(part)
    this.addOwn(schema)
    // Fields that a condition brings come after those that decide about it.
    for (const part of parts.filter(isConditional)) this.add(part)
    for (const keyword of ['anyOf', 'oneOf']) {
      const options = schemasOf(schema[keyword])
      if (options.length > 0) this.addUnion(keyword, options)
    }
    this.addConditions(schema)
  }

  /** Null in a list of types or of values is not drawn as a choice: an empty field is null. */
  finish(): Shape {
    const { shape } = this
    const { schema } = shape
    const types = typesOf(schema)
    const values = schema['enum']
    if (types.includes('null') && types.length > 1) {
      shape.schema = { ...schema, type: types.filter((type) => type !== 'null') }
    }
    if (Array.isArray(values) && values.includes(null) && values.length > 1) {
      shape.schema = { ...shape.schema, enum: values.filter((value) => value !== null) }
    }
    shape.schema = withDeciders(shape.schema, this.deciders)
    shape.isNullable = this.mayBeNull === true
    return shape
  }

  private addReference(reference: string): void {
    const target = this.model.find(reference)
    if (target === undefined) this.shape.lost = reference
    else this.add(target)
  }

  private addOwn(schema: SchemaObject): void {
    const own: SchemaObject = {}
    for (const [keyword, value] of Object.entries(schema)) {
      if (!applied.has(keyword)) own[keyword] = value
    }
    if (schema['unevaluatedProperties'] === false) own['additionalProperties'] ??= false
    this.noteNull(nullOf(own))
    this.shape.schema = mergeSchemas(this.shape.schema, own)
  }

  /** Each part that speaks of types has to allow null. */
  private noteNull(allows: boolean | undefined): void {
    if (allows === undefined) return
    this.mayBeNull = allows && this.mayBeNull !== false
  }

  private addUnion(keyword: string, given: readonly Schema[]): void {
    const flat = toUnion(this.model, given)
    this.noteNull(flat.isNullable)
    const [first] = flat.options
    if (flat.choices !== undefined) {
      this.shape.schema = mergeSchemas(this.shape.schema, flat.choices)
    } else if (flat.isConstraint) {
      const constraint = { [keyword]: flat.options }
      this.shape.schema = mergeSchemas(this.shape.schema, { allOf: [constraint] })
    } else if (flat.options.length === 1 && first !== undefined) {
      this.addOption(first, flat.isNullable === true)
    } else if (flat.options.length > 1) {
      this.shape.unions.push({ options: flat.options, isNullable: flat.isNullable === true })
    }
  }

  /** The null of an option does not count where null is an option of its own. */
  addOption(option: Schema, isNullable: boolean): void {
    const before = this.mayBeNull
    this.add(option)
    if (isNullable) this.mayBeNull = before
  }

  private addConditions(schema: SchemaObject): void {
    const { if: condition, dependentSchemas, dependentRequired, dependencies } = schema
    if (isSchema(condition)) {
      this.shape.isConditional = true
      const next = fits(this.model, condition, this.value ?? {}) ? schema['then'] : schema['else']
      if (isSchema(next)) this.bring(next, lookedAt(this.model, condition))
    }
    for (const [key, needed] of schemaEntries(dependentSchemas)) {
      this.shape.isConditional = true
      if (this.has(key)) this.bring(needed, [key])
    }
    for (const rules of [dependentRequired, dependencies]) {
      if (isRecord(rules)) this.addDependencies(rules)
    }
  }

  /** Adds what a condition asks for, and notes for its own fields which ones it looked at. */
  private bring(schema: Schema, deciders: readonly string[]): void {
    const before = new Set(this.names())
    this.add(schema)
    for (const name of this.names()) {
      if (!before.has(name) && !this.deciders.has(name)) this.deciders.set(name, deciders)
    }
  }

  private names(): string[] {
    return schemaEntries(this.shape.schema['properties']).map(([name]) => name)
  }

  private addDependencies(rules: Record<string, unknown>): void {
    this.shape.isConditional = true
    for (const [key, needed] of Object.entries(rules)) {
      if (!this.has(key)) continue
      if (Array.isArray(needed)) {
        this.shape.schema = mergeSchemas(this.shape.schema, { required: stringsOf(needed) })
      } else if (isSchema(needed)) this.bring(needed, [key])
    }
  }

  /** A field that was cleared is there as null, and asks for nothing. */
  private has(key: string): boolean {
    return isRecord(this.value) && Object.hasOwn(this.value, key) && this.value[key] !== null
  }
}

function isConditional(part: Schema): boolean {
  if (!isRecord(part)) return false
  return ['if', 'dependentSchemas', 'dependencies'].some((keyword) => keyword in part)
}

/** Keywords that are applied, not kept. */
const applied = new Set([
  '$ref',
  '$dynamicRef',
  '$recursiveRef',
  '$defs',
  'definitions',
  '$id',
  '$schema',
  '$anchor',
  '$dynamicAnchor',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'dependentRequired',
  'dependencies',
  'unevaluatedProperties',
])

function nullOf(schema: SchemaObject): boolean | undefined {
  const types = typesOf(schema)
  const values = schema['enum']
  if (Array.isArray(values)) return values.includes(null)
  if ('const' in schema) return schema['const'] === null
  if (types.length === 0) return undefined
  // As OpenAPI 3.0 wrote it; the server reads it the same way.
  return types.includes('null') || schema['nullable'] === true
}

interface FlatUnion {
  options: readonly Schema[]
  isNullable: boolean | undefined
  /** All of them are plain values: a list to choose from. */
  choices: SchemaObject | undefined
  /** They narrow what is there and bring no fields of their own. */
  isConstraint: boolean
}

/** By the first option: what is drawn of a union stays itself as long as the schema does. */
const flatUnions = new WeakMap<SchemaObject, FlatUnion>()

/** Takes null out of the options, nested ones apart, and sees what kind of choice it is. */
function toUnion(model: FormModel, options: readonly Schema[]): FlatUnion {
  const key = options.find(isRecord)
  const known = key === undefined ? undefined : flatUnions.get(key)
  if (known !== undefined) return known
  const all = options.flatMap((option) => splitUp(model, option, 0))
  const rest = all.filter((option) => !isNull(model, option))
  const union: FlatUnion = {
    options: rest,
    isNullable: rest.length < all.length || undefined,
    choices: toChoices(model, rest),
    isConstraint: rest.length > 0 && rest.every((option) => isConstraint(option)),
  }
  if (key !== undefined) flatUnions.set(key, union)
  return union
}

function resolved(model: FormModel, option: Schema): Schema {
  let current = option
  for (let step = 0; step < 20 && isRecord(current); step += 1) {
    if (typeof current['$ref'] !== 'string' || Object.keys(current).length > 2) break
    current = model.find(current['$ref']) ?? {}
  }
  return current
}

/** An option that is nothing but options itself. */
function splitUp(model: FormModel, option: Schema, depth: number): Schema[] {
  const target = resolved(model, option)
  if (depth > 3 || !isRecord(target) || 'properties' in target) return [option]
  const keyword = ['anyOf', 'oneOf'].find((name) => schemasOf(target[name]).length > 0)
  const others = Object.keys(target).filter((name) => name !== keyword && !notes.has(name))
  if (keyword === undefined || others.length > 0) return [option]
  return schemasOf(target[keyword]).flatMap((inner) => splitUp(model, inner, depth + 1))
}

const notes = new Set(['title', 'description', '$comment', 'examples', 'deprecated'])

function isNull(model: FormModel, option: Schema): boolean {
  const target = resolved(model, option)
  if (!isRecord(target)) return false
  const values = target['enum']
  const isOnly = Array.isArray(values) && values.length === 1 && values[0] === null
  return target['type'] === 'null' || target['const'] === null || isOnly
}

/** The titles of choices, by their JSON: schemas have no place for them beside `enum`. */
export const choiceTitles = 'x-choice-titles'

function toChoices(model: FormModel, options: readonly Schema[]): SchemaObject | undefined {
  if (options.length < 2) return undefined
  const values: unknown[] = []
  const titles: Record<string, string> = {}
  for (const option of options) {
    const target = resolved(model, option)
    if (!isRecord(target)) return undefined
    const own = 'const' in target ? [target['const']] : target['enum']
    if (!Array.isArray(own) || own.some((value) => typeof value === 'object')) return undefined
    values.push(...own)
    const title = target['title'] ?? target['description']
    if (own.length === 1 && typeof title === 'string') titles[JSON.stringify(own[0])] = title
  }
  return { enum: values, [choiceTitles]: titles }
}

const narrowing = new Set(['required', 'not', 'minProperties', 'maxProperties', ...notes])

function isConstraint(option: Schema): boolean {
  return isRecord(option) && Object.keys(option).every((keyword) => narrowing.has(keyword))
}
