import type { z } from 'zod'
import type { ForeignBehaviour } from '../../../core/define-tool.ts'
import type { Finding } from '../../../core/kernel/finding.ts'
import type { JsonSchema } from '../../../core/kernel/json.ts'
import type { Effect } from '../../../core/kernel/tool.ts'
import type { KnownTools } from '../../../core/sources/known-tools.ts'
import type { Execution, SecretDeclaration } from '../../../core/typing/tool-facts.ts'
import type { ToolDocument, ToolSpec } from '../model/tool-document.ts'

/** One way in which an authored tool does its work. Each has its folder here and a row in `kinds.ts`. */
export interface SpecKind<Spec extends ToolSpec = ToolSpec> {
  readonly kind: Spec['kind']
  /** Its fields. Strict: an unknown field is an error of the author. */
  readonly schema: z.ZodType<Spec>
  /**
   * Finds problems beyond the schema, such as tools that do not exist. Called for documents with a
   * valid form and valid schemas; paths point into the document: `/spec/steps/2/input/id`.
   */
  check(document: ToolDocument<Spec>, known: KnownTools): readonly Finding[]
  /** The facts that follow from the spec. Must not throw, whatever tools are missing. */
  derive(document: ToolDocument<Spec>, known: KnownTools): DerivedFacts
  /**
   * The tools that it calls, by name: to find cycles, and the users of a tool. For kinds whose facts
   * depend on other tools.
   */
  uses?(document: ToolDocument<Spec>): readonly string[]
  /** Its function, which reaches everything through the context of the call alone. */
  toBehaviour(document: ToolDocument<Spec>): ForeignBehaviour
}

/**
 * They win over the facts in the document, except that a document may raise the effect.
 */
export interface DerivedFacts {
  effect: Effect
  openWorld?: boolean
  idempotent?: boolean
  /** Beside those that the document declares. */
  secrets?: readonly SecretDeclaration[]
  permission?: string
  execution?: Execution
  /** For documents without one. */
  outputSchema?: JsonSchema
}
