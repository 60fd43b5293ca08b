import { schemaBounds } from '../../../../core/schema/document/check-bounds.ts'
import { isRecord } from '../../../../core/kernel/json/json-type.ts'
import type { Json, JsonObject } from '../../model.ts'
import type { References } from '../references.ts'
import { listIn, memberOf, recordIn, textIn, textsIn } from '../values.ts'
import { type ChosenBranch, nameOf, toBranches } from './discriminator.ts'
import { type Direction, isFile, isNullable, toPlainKeywords } from './plain-schema.ts'
import { createBudget, type SchemaBudget } from './schema-budget.ts'

/**
 * Writes schemas of a document as JSON Schema 2020-12. References become `$defs`, so circles stay
 * circles. Parts that exceed the bounds of a tool accept any value, those furthest from the root first.
 */
export interface SchemaWriter {
  write(schema: Json | undefined): JsonObject
  /** The definitions that were referred to; last, when everything is written. */
  definitions(): JsonObject
  readonly isShortened: boolean
}

/** Each level of JSON Schema may take two of a document’s. Definitions begin at the second. */
const deepest = schemaBounds.maxDepth - 2
const longestWords = 600

export function createSchemaWriter(references: References, direction: Direction): SchemaWriter {
  return new Writer(references, direction)
}

class Writer implements SchemaWriter {
  readonly #references: References
  readonly #direction: Direction
  readonly #budget: SchemaBudget
  readonly #names = new Map<string, string>()
  readonly #taken = new Set<string>()

  constructor(references: References, direction: Direction) {
    this.#references = references
    this.#direction = direction
    this.#budget = createBudget(direction)
  }

  get isShortened(): boolean {
    return this.#budget.isShortened
  }

  write(schema: Json | undefined): JsonObject {
    // In an input, the root is a property of an object.
    return this.#write(schema, 3)
  }

  definitions(): JsonObject {
    const definitions: JsonObject = {}
    // Writing one may add others: a map hands out what is added while it is walked.
    for (const [ref, name] of this.#names) {
      definitions[name] = this.#write(this.#references.find(ref), 2)
    }
    return definitions
  }

  #write(schema: Json | undefined, depth: number): JsonObject {
    if (!isRecord(schema)) return schema === false ? { not: {} } : {}
    const source: JsonObject = schema
    if (typeof source['$ref'] === 'string') return this.#refer(source['$ref'], source)
    if (depth > deepest) {
      this.#budget.isShortened = true
      return {}
    }
    const plain = toPlainKeywords(source, this.#direction)
    const pattern = plain['pattern']
    if (typeof pattern === 'string' && !this.#budget.patternFits(pattern)) delete plain['pattern']
    if (!this.#budget.take(40 + JSON.stringify(plain).length)) return {}
    if (this.#direction === 'input' && isFile(source)) plain['format'] = 'file'
    const written = { ...plain, ...this.#words(source), ...this.#inner(source, depth + 1) }
    const isUnion = plain['type'] === undefined && isNullable(source)
    return isUnion ? { anyOf: [written, { type: 'null' }] } : written
  }

  #refer(ref: string, source: JsonObject): JsonObject {
    const known = this.#names.get(ref)
    const isNull = isNullable(source)
    // A reference that leads nowhere is the fault of this operation, also where it is not used.
    this.#references.find(ref)
    if (known === undefined && !this.#budget.take(80)) return {}
    const name = known ?? this.#nameFor(ref)
    const reference = { $ref: `#/$defs/${name}` }
    return isNull ? { anyOf: [reference, { type: 'null' }] } : reference
  }

  #nameFor(ref: string): string {
    const plain =
      nameOf(ref)
        .replaceAll(/[^A-Za-z0-9_.-]/g, '_')
        .slice(0, 80) || 'schema'
    let name = plain
    for (let count = 2; this.#taken.has(name); count++) name = `${plain}_${count}`
    this.#taken.add(name)
    this.#names.set(ref, name)
    return name
  }

  #words(source: JsonObject): JsonObject {
    const description = textIn(source, 'description', longestWords)
    if (description === undefined || !this.#budget.hasRoomForWords()) return {}
    return this.#budget.take(description.length) ? { description } : {}
  }

  #inner(source: JsonObject, depth: number): JsonObject {
    return {
      ...this.#lists(source, depth),
      ...this.#properties(source, depth),
      ...this.#unions(source, depth),
    }
  }

  #lists(source: JsonObject, depth: number): JsonObject {
    const items = memberOf(source, 'items')
    const first = Array.isArray(items) ? items : listIn(source, 'prefixItems')
    return {
      ...(first.length > 0 && { prefixItems: first.map((item) => this.#write(item, depth)) }),
      ...(isRecord(items) && { items: this.#write(items, depth) }),
    }
  }

  #properties(source: JsonObject, depth: number): JsonObject {
    const isInput = this.#direction === 'input'
    const required = new Set(textsIn(source, 'required'))
    const properties: JsonObject = {}
    let isCut = false
    for (const [key, property] of this.#shown(source)) {
      isCut ||= this.#budget.isFull()
      if (isCut) continue
      const written = this.#write(property, depth)
      properties[key] = isInput || required.has(key) ? written : orNull(written)
    }
    if (isCut) this.#budget.isShortened = true
    const needed = [...required].filter((key) => isInput && Object.hasOwn(properties, key))
    return {
      ...(Object.keys(properties).length > 0 && { properties }),
      ...(needed.length > 0 && { required: needed }),
      ...(isCut ? { additionalProperties: true } : this.#others(source, depth)),
    }
  }

  /** The properties that this direction has. */
  #shown(source: JsonObject): [key: string, property: Json][] {
    const hidden = this.#direction === 'input' ? 'readOnly' : 'writeOnly'
    return Object.entries(recordIn(source, 'properties')).filter(
      ([key, property]) => key !== '__proto__' && !this.#is(property, hidden),
    )
  }

  /** Keys without a schema of their own. */
  #others(source: JsonObject, depth: number): JsonObject {
    const others = memberOf(source, 'additionalProperties')
    if (isRecord(others)) return { additionalProperties: this.#write(others, depth) }
    const isSaid = others === true || (others === false && this.#direction === 'input')
    return isSaid ? { additionalProperties: others } : {}
  }

  /** Also behind a reference. */
  #is(property: Json, mark: string): boolean {
    return this.#references.follow(property)?.[mark] === true
  }

  #unions(source: JsonObject, depth: number): JsonObject {
    const unions: JsonObject = {}
    const all = listIn(source, 'allOf')
    if (all.length > 0) unions['allOf'] = all.map((schema) => this.#write(schema, depth))
    for (const keyword of ['oneOf', 'anyOf'] as const) {
      const branches = toBranches(source, listIn(source, keyword))
      if (branches.length === 0) continue
      // Only a value that chooses makes branches exclude each other.
      const isChosen = this.#direction === 'input' && branches.every(({ chosenBy }) => chosenBy)
      const written = branches.map((branch) => this.#branch(branch, depth))
      unions[isChosen ? 'oneOf' : 'anyOf'] = written
    }
    return unions
  }

  #branch({ schema, chosenBy }: ChosenBranch, depth: number): JsonObject {
    const written = this.#write(schema, depth + 1)
    if (chosenBy === undefined || this.#direction === 'output') return written
    const { property, values } = chosenBy
    const [value = ''] = values
    const choice: JsonObject = values.length === 1 ? { const: value } : { enum: values }
    const chosen: JsonObject = { properties: { [property]: choice }, required: [property] }
    return this.#budget.take(160) ? { allOf: [written, chosen] } : written
  }
}

/** Servers leave a field out or send null as they like. */
function orNull(schema: JsonObject): JsonObject {
  const { type } = schema
  if (typeof type === 'string')
    return type === 'null' ? schema : { ...schema, type: [type, 'null'] }
  if (Array.isArray(type))
    return type.includes('null') ? schema : { ...schema, type: [...type, 'null'] }
  const isAnything = Object.keys(schema).every((keyword) => keyword === 'description')
  return isAnything ? schema : { anyOf: [schema, { type: 'null' }] }
}
