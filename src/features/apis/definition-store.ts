import type { ApiOperation } from './model.ts'

/** An API of a tenant. */
export interface ApiId {
  tenant: string
  api: string
}

export interface KeptDefinition {
  hash: string
  definition: ApiOperation
}

/**
 * The definitions of operations, by their content. One is never changed, so that what people have
 * accepted stays what it was.
 */
export interface DefinitionStore {
  /** Those that are there already are kept for longer. */
  keep(key: ApiId, definitions: readonly KeptDefinition[]): Promise<void>
  /** Those that are there. */
  find(key: ApiId, hashes: readonly string[]): Promise<KeptDefinition[]>
  /** Removes those not seen since this time that are not in use. */
  drop(key: ApiId, used: ReadonlySet<string>, seenBeforeMs: number): Promise<void>
  /** Removes those of APIs that were removed before this time. Returns how many. */
  sweep(seenBeforeMs: number): Promise<number>
}
