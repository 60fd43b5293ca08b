import type { JsonSchema } from '../../kernel/tool.ts'
import type { Subschema } from '../document/keywords.ts'
import type { ResolveRef } from '../document/resolve-ref.ts'
import type { Check } from './run.ts'

/** The interface of the whole compiler for its parts. */
export interface Compiler {
  readonly resolve: ResolveRef
  /** The check of a schema for the same value. */
  compile(schema: Subschema): Check
  /** The check of a schema for a part of the value. */
  compilePart(schema: Subschema): Check
}

/** One group of keywords; undefined when the schema uses none of them. */
export type CompileGroup = (schema: JsonSchema, compiler: Compiler) => Check | undefined
