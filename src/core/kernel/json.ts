/** A JSON Schema 2020-12 object. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/** Anything that survives JSON: what goes into a tool, what comes out, what an event holds. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | JsonValue[]
  | { [key: string]: JsonValue }
