import { isRecord, stringsOf, textOf } from './schema.ts'

/** The form options of one field in a tool's definition. */
export interface FieldSpec {
  label?: string
  help?: string
  placeholder?: string
  widget?: string
  hidden?: boolean
  order: readonly string[]
}

export interface GroupSpec {
  label: string
  description: string | undefined
  fields: readonly string[]
  isCollapsed: boolean
}

/** `form` of a definition: the order, the groups and the fields, by paths such as `tasks[].name`. */
export interface FormSpec {
  order: readonly string[]
  groups: readonly GroupSpec[]
  fields: ReadonlyMap<string, FieldSpec>
}

/** Reads it as the API sends it; the server has checked it, and what is odd in it is left out. */
export function readFormSpec(form: unknown): FormSpec {
  const { order, groups, fields } = isRecord(form) ? form : {}
  return {
    order: stringsOf(order),
    groups: Array.isArray(groups) ? groups.filter(isRecord).map(toGroup) : [],
    fields: new Map(
      Object.entries(isRecord(fields) ? fields : {}).map(([path, field]) => [path, toField(field)]),
    ),
  }
}

function toGroup({ label, description, fields, collapsed }: Record<string, unknown>): GroupSpec {
  return {
    label: textOf(label) ?? 'More',
    description: textOf(description),
    fields: stringsOf(fields),
    isCollapsed: collapsed === true,
  }
}

function toField(field: unknown): FieldSpec {
  if (!isRecord(field)) return { order: [] }
  const spec: FieldSpec = { order: stringsOf(field['order']) }
  for (const name of ['label', 'help', 'placeholder', 'widget'] as const) {
    const text = textOf(field[name])
    if (text !== undefined) spec[name] = text
  }
  if (field['hidden'] === true) spec.hidden = true
  return spec
}

const nothing: FieldSpec = { order: [] }

export function fieldSpec(spec: FormSpec, path: string): FieldSpec {
  return spec.fields.get(path) ?? nothing
}

/** `a` and `b` → `a.b`; an item of the list `a` → `a[]`. */
export function childPath(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}
