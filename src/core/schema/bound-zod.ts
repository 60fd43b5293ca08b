import type { z } from 'zod'
import { maxFindings } from './findings.ts'

type Schema = z.core.$ZodType
type Parts = Schema['_zod']
type Run = Parts['run']
type Payload = Parameters<Run>[0]

/** The list being parsed, and how many more of its items may be wrong. */
interface Budget {
  of: Schema
  left: number
}

/** Thrown to leave a list early; never escapes the list. */
const enough = new Error('enough findings')
const known = new WeakSet<Schema>()
const counted = new WeakSet<Schema>()
let budget: Budget | undefined

/**
 * Makes a zod schema stop parsing a list or a record after a hundred wrong items. Zod alone records
 * every one with its path, which takes seconds for a megabyte of wrong items. The verdict does not
 * change: a list that is left early has already failed.
 *
 * Zod has no option for this, so lists and their items are wrapped where zod calls them, once.
 */
export function boundZod<T extends Schema>(schema: T): T {
  visit(schema)
  return schema
}

function visit(schema: Schema | undefined): void {
  if (schema === undefined || known.has(schema)) return
  known.add(schema)
  const { def } = partsOf(schema) as { def: Definition }
  if (def.type === 'lazy') {
    visitLater(schema, def)
    return
  }
  // A key that does not match may be retried as a number, so only values are counted.
  const item = def.element ?? def.rest ?? def.catchall ?? def.valueType
  if (item) {
    leaveEarly(schema, item)
    countItem(item)
  }
  for (const inner of innerSchemas(def)) visit(inner)
}

/** The parts of zod's definitions that contain other schemas. */
interface Definition {
  type: string
  element?: Schema
  rest?: Schema | null
  catchall?: Schema
  keyType?: Schema
  valueType?: Schema
  innerType?: Schema
  left?: Schema
  right?: Schema
  in?: Schema
  out?: Schema
  shape?: Readonly<Record<string, Schema>>
  items?: readonly Schema[]
  options?: readonly Schema[]
  getter?: () => Schema
}

function innerSchemas(def: Definition): (Schema | undefined)[] {
  return [
    def.keyType,
    def.innerType,
    def.left,
    def.right,
    def.in,
    def.out,
    ...Object.values(def.shape ?? {}),
    ...(def.items ?? []),
    ...(def.options ?? []),
  ]
}

/** The schema it refers to may not exist yet, so it is visited when a value arrives. */
function visitLater(schema: Schema, { getter }: Definition): void {
  const parts = partsOf(schema)
  const { run } = parts
  parts.run = (payload, context) => {
    visit(getter?.())
    parts.run = run
    return run(payload, context)
  }
}

/** Only while parsing the items: a check of the whole list may call anything. */
function leaveEarly(list: Schema, item: Schema): void {
  const parts = partsOf(list)
  const { parse, run } = parts
  const bounded: Run = (payload, context) => {
    if (context.async !== false) return parse(payload, context)
    const outer = budget
    const given = payload.value
    // One more than is shown, so that the output can mention that there are more.
    budget = { of: item, left: maxFindings + 1 }
    try {
      return parse(payload, context)
    } catch (error) {
      if (error !== enough) throw error
      if (payload.issues.length > 0) return payload
      // The counted problems did not matter after all (absent optional keys): parse the whole list.
      budget = undefined
      payload.value = given
      return parse(payload, context)
    } finally {
      budget = outer
    }
  }
  parts.parse = bounded
  // Without checks zod's `run` is its `parse`.
  if (run === parse) parts.run = bounded
}

function countItem(item: Schema): void {
  visit(item)
  if (counted.has(item)) return
  counted.add(item)
  const parts = partsOf(item)
  const { run } = parts
  parts.run = (payload, context) => {
    const mine = budget
    // The same schema may occur elsewhere, where its findings do not count.
    if (mine === undefined || mine.of !== item) return run(payload, context)
    if (mine.left <= 0) throw enough
    budget = undefined
    try {
      const result = run(payload, context)
      if (!(result instanceof Promise)) mine.left -= (result as Payload).issues.length
      return result
    } finally {
      budget = mine
    }
  }
}

/** The internals that zod itself uses. */
function partsOf(schema: Schema): Parts {
  const { _zod: parts } = schema
  return parts
}
