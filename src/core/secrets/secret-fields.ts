import { ToolError } from '../kernel/errors.ts'
import type { JsonSchema, JsonValue } from '../kernel/json.ts'
import type { ToolContract } from '../kernel/tool.ts'
import { expandSchemas } from '../schema/document/find-place.ts'
import { schemaEntries, type Subschema } from '../schema/document/keywords.ts'
import { listSchemas } from '../schema/document/list-schemas.ts'
import { createResolver, type ResolveRef } from '../schema/document/resolve-ref.ts'
import { itemSchemas, propertySchemas } from '../schema/document/schemas-below.ts'
import { pointerStep } from '../kernel/json/json-pointer.ts'
import { isRecord } from '../kernel/json/json-type.ts'
import { isMark } from './is-redacted.ts'

/** The parts of a contract that declare secret fields. */
export type SecretContract = Pick<ToolContract, 'inputSchema'> &
  Partial<Pick<ToolContract, 'outputSchema' | 'form'>>

/** An input as it may be recorded, and the secret values that were removed. */
export interface HiddenInput {
  /** With a placeholder for each value of a secret field. */
  shown: JsonValue
  /** The values by the name of their field, for searching elsewhere. */
  values: Readonly<Record<string, string>>
  /** The placeholders in it. */
  marks: ReadonlySet<string>
}

/**
 * All secret fields of one input together. Every encoding of a value is searched for in the tool's
 * output, which takes memory per character; and a whole document is not a password.
 */
const maxSecretChars = 32_768

interface Finder {
  resolve: ResolveRef
  publicKeys: ReadonlySet<string>
  widgets: NonNullable<NonNullable<ToolContract['form']>['fields']>
}

const finders = new WeakMap<SecretContract, Finder | null>()

/**
 * True if the tool has secret fields (`format: password`, `writeOnly`, widget `secret`). Cached.
 */
export function hasSecretFields(contract: SecretContract): boolean {
  return finderOf(contract) !== null
}

/** The input with a placeholder for every secret value. Null and '' are not secret. */
export function hideSecretFields(contract: SecretContract, input: JsonValue): HiddenInput {
  const finder = finderOf(contract)
  if (finder === null) return { shown: input, values: {}, marks: new Set() }
  const walk = createWalk(finder)
  const shown = hideRoot(walk, contract.inputSchema, input)
  return { shown, values: Object.fromEntries(walk.values), marks: walk.marks }
}

/**
 * Throws `invalid_input` if a secret field contains the placeholder of a hidden value, or is too
 * long.
 */
export function checkSecretFields(contract: SecretContract, input: JsonValue): void {
  const finder = finderOf(contract)
  if (finder === null) return
  const walk = createWalk(finder)
  hideRoot(walk, contract.inputSchema, input)
  if (walk.given.length > 0) throw marksGiven(walk.given)
}

/**
 * The keys named in the schemas of a tool with secret fields: they are public, and a password that
 * happens to equal one must not garble the tool's output.
 */
export function publicKeysOf(contract: SecretContract): ReadonlySet<string> | undefined {
  return finderOf(contract)?.publicKeys
}

function finderOf(contract: SecretContract): Finder | null {
  const known = finders.get(contract)
  if (known !== undefined) return known
  const widgets = contract.form?.fields ?? {}
  const isFound =
    Object.values(widgets).some(({ widget }) => widget === 'secret') ||
    listSchemas(contract.inputSchema).some(({ schema }) => isRecord(schema) && isSecret(schema))
  const finder = isFound ? createFinder(contract) : null
  finders.set(contract, finder)
  return finder
}

function createFinder({ inputSchema, outputSchema = {}, form }: SecretContract): Finder {
  const schemas = [inputSchema, outputSchema].flatMap(listSchemas)
  const keys = schemas.flatMap(({ schema }) =>
    isRecord(schema) ? schemaEntries(schema, 'properties').map(([key]) => key) : [],
  )
  const resolve = createResolver(inputSchema)
  return { resolve, publicKeys: new Set(keys), widgets: form?.fields ?? {} }
}

function isSecret(schema: JsonSchema): boolean {
  return schema['format'] === 'password' || schema['writeOnly'] === true
}

interface Walk extends Finder {
  values: Map<string, string>
  marks: Set<string>
  /** Places where a placeholder was given instead of a value. */
  given: string[]
  /** Characters left for secret values. */
  room: number
}

function createWalk(finder: Finder): Walk {
  return { ...finder, values: new Map(), marks: new Set(), given: [], room: maxSecretChars }
}

interface Spot {
  value: JsonValue
  schemas: readonly Subschema[]
  path: string
  /** As a form names the place: `logins[].password`. */
  name: string
}

function hideRoot(walk: Walk, root: JsonSchema, input: JsonValue): JsonValue {
  const isWhole = expandSchemas([root], walk.resolve).some(isSecret)
  const spot = { value: input, schemas: [root], path: '', name: '' }
  if (!isWhole || !isRecord(input)) return hide(walk, spot)
  // The record of a call shows an object, so its fields are hidden one by one.
  return mapRecord(input, (value, key) =>
    conceal(walk, { ...spot, value, path: `/${key}`, name: key }),
  )
}

/** All schemas that may apply count: of several branches, one that hides the field is enough. */
function hide(walk: Walk, spot: Spot): JsonValue {
  const { value, schemas, path, name } = spot
  const nodes = expandSchemas(schemas, walk.resolve)
  const widget = Object.hasOwn(walk.widgets, name) ? walk.widgets[name]?.widget : undefined
  if (widget === 'secret' || nodes.some(isSecret)) return conceal(walk, spot)
  if (nodes.length === 0 || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const hidden = value.map((item, index) => {
      const place = { path: pointerStep(path, index), name: `${name}[]` }
      return hide(walk, { value: item, schemas: itemSchemas(nodes, index), ...place })
    })
    return hidden.some((item, index) => item !== value[index]) ? hidden : value
  }
  return mapRecord(value, (part, key) => {
    const { schemas: inner, isNamed } = propertySchemas(nodes, key)
    const step = isNamed ? key : '*'
    const below = name === '' ? step : `${name}.${step}`
    return hide(walk, { value: part, schemas: inner, path: pointerStep(path, key), name: below })
  })
}

function mapRecord(
  record: { [key: string]: JsonValue },
  map: (value: JsonValue, key: string) => JsonValue,
): JsonValue {
  const entries = Object.entries(record).map(([key, value]) => [key, map(value, key)] as const)
  return entries.some(([key, value]) => value !== record[key])
    ? Object.fromEntries(entries)
    : record
}

/** The placeholder for one value, which is remembered with all its parts. */
function conceal(walk: Walk, { value, path, name }: Spot): JsonValue {
  if (value === null || value === '') return value
  if (isMark(value)) {
    walk.given.push(path)
    return value
  }
  const label = name.replaceAll('[]', '')
  for (const text of textsIn(value)) {
    walk.room -= text.length
    if (walk.room < 0) throw tooLong(path)
    walk.values.set(freeName(walk.values, label, text), text)
  }
  const mark = `[redacted:${label}]`
  walk.marks.add(mark)
  return mark
}

/**
 * The hidden values of an input, found by comparing it with its recorded form: for unknown schemas.
 */
export function listHidden(shown: JsonValue, raw: JsonValue): Readonly<Record<string, string>> {
  const values = new Map<string, string>()
  const visit = (left: JsonValue | undefined, right: JsonValue, name: string): void => {
    if (isMark(left)) {
      const label = /:(.*).$/.exec(left)?.[1] ?? name
      for (const text of textsIn(right)) values.set(freeName(values, label, text), text)
      return
    }
    if (typeof left !== 'object' || typeof right !== 'object' || !left || !right) return
    for (const [key, part] of Object.entries(right)) {
      visit((left as Record<string, JsonValue>)[key], part, Array.isArray(right) ? name : key)
    }
  }
  visit(shown, raw, 'input')
  return Object.fromEntries(values)
}

/** Texts and numbers at every depth. Booleans contain nothing to search for. */
function textsIn(value: JsonValue): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}

/** A unique name: two values under one name would leave one of them unprotected. */
export function freeName(
  taken: Pick<ReadonlyMap<string, string>, 'get'>,
  name: string,
  value: string,
): string {
  let free = name
  for (let number = 2; ; number += 1) {
    const there = taken.get(free)
    if (there === undefined || there === value) return free
    free = `${name} ${number}`
  }
}

function marksGiven(paths: readonly string[]): ToolError {
  const message = 'is the placeholder of a hidden value; enter the value itself'
  return new ToolError(
    'invalid_input',
    `Secret fields have to be entered again: ${paths.join(', ')}`,
    {
      issues: paths.map((path) => ({ path, message })),
      fix: 'The values of secret fields are not shown. Send the input again with the values themselves.',
    },
  )
}

function tooLong(path: string): ToolError {
  const message = `is too long: secret fields may contain ${maxSecretChars} characters in total`
  return new ToolError('invalid_input', `The secret at ${path} is too long`, {
    issues: [{ path, message }],
    fix: 'Give a larger secret as an uploaded file, or store it with toolcrib secrets set.',
  })
}
