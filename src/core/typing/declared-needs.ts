import type { SchemaLike, TypeOf } from '../schema/schema-like.ts'
import type { Flat } from '../kernel/callable-tool.ts'
import type { SecretDeclaration } from './tool-facts.ts'
import type { AnyNeeds, ToolNeeds } from '../kernel/tool-needs.ts'

/** The needs that a definition declares. */
export interface DeclaredNeeds<
  Secrets extends readonly SecretDeclaration[],
  Env extends readonly string[],
  Options extends SchemaLike,
> extends ToolNeeds {
  secrets: SecretsOf<Secrets>
  env: { readonly [Name in Env[number]]: string }
  options: OptionsOf<Options>
}

/** Exactly the declared keys; an optional one may be absent. */
export type SecretsOf<Secrets extends readonly SecretDeclaration[]> = Flat<
  { readonly [Entry in Secrets[number] as RequiredKey<Entry>]: string } & {
    readonly [Entry in Secrets[number] as OptionalKey<Entry>]?: string
  }
>

type RequiredKey<Entry> = Entry extends string
  ? Entry
  : Entry extends { readonly key: infer Key extends string; readonly optional?: false }
    ? Key
    : never

type OptionalKey<Entry> = Entry extends { readonly key: infer Key extends string }
  ? Entry extends { readonly key: string; readonly optional?: false }
    ? never
    : Key
  : never

/** The type of the options schema; unknown for plain JSON Schema. */
type OptionsOf<Options extends SchemaLike> =
  unknown extends TypeOf<Options> ? AnyNeeds['options'] : TypeOf<Options>
