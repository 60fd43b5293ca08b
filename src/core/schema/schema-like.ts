import type { JsonSchema } from '../kernel/json.ts'

/**
 * The `~standard` interface of a schema library (standardschema.dev): a check, and JSON Schema if
 * supported.
 */
export interface StandardProps<Input = unknown, Output = Input> {
  readonly version: 1
  readonly vendor: string
  readonly types?: { readonly input: Input; readonly output: Output } | undefined
  readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
  readonly jsonSchema?:
    | Readonly<Record<SchemaSide, (options: { target: string }) => Record<string, unknown>>>
    | undefined
}

export type StandardResult<Output = unknown> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** A schema of zod 4 or of another library with JSON Schema support. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': StandardProps<Input, Output>
}

/** The side of a schema: the value before its defaults and transforms, or after. */
export type SchemaSide = 'input' | 'output'

/** Every form in which an author may write a schema. */
export type SchemaLike = StandardSchema | JsonSchema

/** The type of a value that has passed the schema; unknown for plain JSON Schema. */
export type TypeOf<S> = S extends { readonly '~standard': { readonly types?: infer T } }
  ? NonNullable<T> extends { readonly output: infer Output }
    ? Output
    : unknown
  : unknown

/**
 * The type of a value before the schema's defaults and transforms; unknown for plain JSON Schema.
 */
export type SchemaInputOf<S> = S extends { readonly '~standard': { readonly types?: infer T } }
  ? NonNullable<T> extends { readonly input: infer Input }
    ? Input
    : unknown
  : unknown

/** True for zod and similar libraries, which validate values themselves. */
export function isStandardSchema(schema: unknown): schema is StandardSchema {
  if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null) return false
  const props = (schema as { '~standard'?: unknown })['~standard']
  return (
    typeof props === 'object' &&
    props !== null &&
    typeof (props as { validate?: unknown }).validate === 'function'
  )
}
