import type { JsonSchema } from '../json.ts'
import type { ToolContract } from '../tool.ts'
import { expandSchemas } from './document/find-place.ts'
import type { Subschema } from './document/keywords.ts'
import { listSchemas } from './document/list-schemas.ts'
import { createResolver, type ResolveRef } from './document/resolve-ref.ts'
import { itemSchemas, propertySchemas } from './document/schemas-below.ts'
import { pointerStep } from './json/json-pointer.ts'
import { isRecord } from './json/json-type.ts'

/** How the tool takes a file: by reference, to be read with `ctx.files`, or as text in its input. */
export type FileForm = 'reference' | 'data-url' | 'base64'

/** A text of the input that stands where a file is wanted. */
export interface FileValue {
  /** JSON pointer into the input. */
  path: string
  text: string
  form: FileForm
}

type FileContract = Pick<ToolContract, 'inputSchema' | 'form'>

const known = new WeakMap<FileContract, boolean>()

/** Does the tool want a file anywhere? Looked up once: every call asks. */
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

/** The texts of an input that stand where the tool wants a file. */
export function listFileValues(contract: FileContract, input: unknown): FileValue[] {
  if (!hasFileFields(contract)) return []
  const found: FileValue[] = []
  const resolve = createResolver(contract.inputSchema)
  const walk: Walk = { resolve, widgets: contract.form?.fields ?? {}, found }
  visit(walk, { value: input, schemas: [contract.inputSchema], path: '', name: '' })
  return found
}

/** How a schema of a string wants its file; undefined where it wants none. */
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
  found: FileValue[]
}

interface Spot {
  value: unknown
  schemas: readonly Subschema[]
  path: string
  /** As a form names the place: `tasks[].paper`. */
  name: string
}

function visit(walk: Walk, { value, schemas, path, name }: Spot): void {
  const nodes = expandSchemas(schemas, walk.resolve)
  if (typeof value === 'string') {
    const form = formAt(walk, nodes, name)
    if (form !== undefined) walk.found.push({ path, text: value, form })
    return
  }
  if (nodes.length === 0) return
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const items = itemSchemas(nodes, index)
      visit(walk, { value: item, schemas: items, path: `${path}/${index}`, name: `${name}[]` })
    }
    return
  }
  if (!isRecord(value)) return
  for (const [key, part] of Object.entries(value)) {
    const { schemas: inner, isNamed } = propertySchemas(nodes, key)
    const step = isNamed ? key : '*'
    const below = name === '' ? step : `${name}.${step}`
    visit(walk, { value: part, schemas: inner, path: pointerStep(path, key), name: below })
  }
}

/** As the schema wants it there; as base64 where the form alone says that it is a file. */
function formAt(
  { widgets }: Walk,
  nodes: readonly JsonSchema[],
  name: string,
): FileForm | undefined {
  const forms = nodes.flatMap((node) => fileForm(node) ?? [])
  const isChosen = Object.hasOwn(widgets, name) && widgets[name]?.widget === 'file'
  return forms[0] ?? (isChosen ? 'base64' : undefined)
}
