import type { JsonSchema } from '../kernel/json.ts'
import type { ToolContract } from '../kernel/tool.ts'
import { expandSchemas } from './document/find-place.ts'
import { schemasOf, type Subschema } from './document/keywords.ts'
import { listSchemas } from './document/list-schemas.ts'
import { createResolver, type ResolveRef } from './document/resolve-ref.ts'
import { itemSchemas, propertySchemas } from './document/schemas-below.ts'
import { pointerStep } from '../kernel/json/json-pointer.ts'
import { isRecord } from '../kernel/json/json-type.ts'

/**
 * How the tool takes a file: by reference, to be read with `ctx.files`, or as text in its input.
 */
export type FileForm = 'reference' | 'data-url' | 'base64'

/** A text in the input where a file is expected. */
export interface FileValue {
  /** JSON pointer into the input. */
  path: string
  text: string
  form: FileForm
}

type FileContract = Pick<ToolContract, 'inputSchema' | 'form'>

const known = new WeakMap<FileContract, boolean>()

/** True if the tool takes a file anywhere. Cached, because every call checks it. */
export function hasFileFields(contract: FileContract): boolean {
  const before = known.get(contract)
  if (before !== undefined) return before
  const fields = Object.values(contract.form?.fields ?? {})
  const found =
    fields.some(({ widget }) => widget === 'file') ||
    listSchemas(contract.inputSchema).some(
      ({ schema }) => isRecord(schema) && fileForm(schema) !== undefined,
    )
  known.set(contract, found)
  return found
}

/**
 * Visits the texts of an input where the tool expects a file, one by one: the input is unchecked,
 * and `onFile` may throw at the first invalid one.
 */
export function visitFileValues(
  { inputSchema, form }: FileContract,
  input: unknown,
  onFile: (value: FileValue) => void,
): void {
  const walk = { resolve: createResolver(inputSchema), widgets: form?.fields ?? {} }
  visit({ value: input, place: new Place([inputSchema], '', walk) }, onFile)
}

/** How a string schema takes its file; undefined if it takes none. */
export function fileForm(schema: JsonSchema): FileForm | undefined {
  const { format } = schema
  if (format === 'file') return 'reference'
  if (format === 'data-url' || format === 'data-uri') return 'data-url'
  if (format === 'binary' || format === 'byte') return 'base64'
  return schema['contentEncoding'] === 'base64' ? 'base64' : undefined
}

interface Walk {
  resolve: ResolveRef
  widgets: Readonly<Record<string, { widget?: string | undefined }>>
}

/** A value of the input, and its path. */
interface Spot {
  value: unknown
  place: Place
  step?: string | number
  parent?: Spot
}

function visit(spot: Spot, onFile: (value: FileValue) => void): void {
  const { value, place } = spot
  if (typeof value === 'string') {
    if (place.form !== undefined) onFile({ path: pathOf(spot), text: value, form: place.form })
    return
  }
  if (typeof value !== 'object' || value === null || !place.leadsOn) return
  if (Array.isArray(value)) {
    for (let step = 0; step < value.length; step++) {
      const item: unknown = value[step]
      if (isScalar(item)) continue
      visit({ value: item, place: place.item(step), step, parent: spot }, onFile)
    }
    return
  }
  for (const [step, part] of Object.entries(value)) {
    if (isScalar(part)) continue
    visit({ value: part, place: place.property(step), step, parent: spot }, onFile)
  }
}

/** Neither a text nor a container of one. */
function isScalar(value: unknown): boolean {
  return typeof value !== 'string' && (typeof value !== 'object' || value === null)
}

function pathOf({ step, parent }: Spot): string {
  return step === undefined || parent === undefined ? '' : pointerStep(pathOf(parent), `${step}`)
}

/**
 * The schemas of one place. Created once for all items of a list: looking up the schemas costs far
 * more than reading an item.
 */
class Place {
  readonly form: FileForm | undefined
  readonly #nodes: readonly JsonSchema[]
  readonly #name: string
  readonly #walk: Walk
  readonly #below = new Map<Subschema, Place>()
  readonly #items: (Place | undefined)[] = []
  readonly #properties = new Map<string, Place>()
  readonly #firstItems: number

  /** `name` is the place as a form names it: `tasks[].paper`. */
  constructor(schemas: readonly Subschema[], name: string, walk: Walk) {
    this.#nodes = expandSchemas(schemas, walk.resolve)
    this.#name = name
    this.#walk = walk
    this.form = formAt(walk, this.#nodes, name)
    this.#firstItems = Math.max(0, ...this.#nodes.map(countFirstItems))
  }

  get leadsOn(): boolean {
    return this.#nodes.length > 0
  }

  item(index: number): Place {
    // The first few items may each have a schema; all later ones share one.
    const at = Math.min(index, this.#firstItems)
    const known = this.#items[at]
    if (known !== undefined) return known
    const place = new Place(itemSchemas(this.#nodes, at), `${this.#name}[]`, this.#walk)
    this.#items[at] = place
    return place
  }

  property(key: string): Place {
    const known = this.#properties.get(key)
    if (known !== undefined) return known
    const { schemas, isNamed } = propertySchemas(this.#nodes, key)
    const place = this.#placeOf(schemas, isNamed ? key : '*')
    // Keys that no schema names are chosen by the caller, and their number is unbounded.
    if (isNamed) this.#properties.set(key, place)
    return place
  }

  #placeOf(schemas: readonly Subschema[], step: string): Place {
    const [only] = schemas
    const isShared = step === '*' && schemas.length === 1 && only !== undefined
    const known = isShared ? this.#below.get(only) : undefined
    if (known !== undefined) return known
    const name = this.#name === '' ? step : `${this.#name}.${step}`
    const place = new Place(schemas, name, this.#walk)
    if (isShared) this.#below.set(only, place)
    return place
  }
}

function countFirstItems(node: JsonSchema): number {
  return schemasOf(node, 'prefixItems').length
}

/** As the schema declares it; base64 if only the form declares a file. */
function formAt(
  { widgets }: Walk,
  nodes: readonly JsonSchema[],
  name: string,
): FileForm | undefined {
  const forms = nodes.flatMap((node) => fileForm(node) ?? [])
  const isChosen = Object.hasOwn(widgets, name) && widgets[name]?.widget === 'file'
  return forms[0] ?? (isChosen ? 'base64' : undefined)
}
