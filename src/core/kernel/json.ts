/** A JSON Schema 2020-12 object. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/** Any JSON value: tool input and output, event data. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | JsonValue[]
  | { [key: string]: JsonValue }
