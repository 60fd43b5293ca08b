/** A JSON Schema as it comes: nothing in it is believed before it is looked at. */
export type Schema = SchemaObject | boolean

export type SchemaObject = { [keyword: string]: unknown }

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'boolean' || isRecord(value)
}

/** The schemas of `allOf`, `anyOf`, `oneOf`, `prefixItems`. */
export function schemasOf(value: unknown): Schema[] {
  return Array.isArray(value) ? value.filter(isSchema) : []
}

/** The entries of `properties`, `patternProperties`, `dependentSchemas`. */
export function schemaEntries(value: unknown): [string, Schema][] {
  if (!isRecord(value)) return []
  return Object.entries(value).filter((entry): entry is [string, Schema] => isSchema(entry[1]))
}

export function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

export function typesOf(schema: SchemaObject): string[] {
  const { type } = schema
  return typeof type === 'string' ? [type] : stringsOf(type)
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** The JSON Schema type of a value. */
export function typeOfValue(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value
}

/** Whether a value is of one of these types; no types take everything. */
export function isOfType(value: unknown, types: readonly string[]): boolean {
  if (types.length === 0) return true
  const type = typeOfValue(value)
  return types.includes(type) || (type === 'number' && types.includes('integer'))
}
