import { z } from 'zod'
import { isCanonicalName } from '../../../core/kernel/names.ts'
import { isRecord } from '../../../core/kernel/json/json-type.ts'
import type { JsonSchema } from '../../../core/kernel/json.ts'
import { toolFacts } from '../../../core/schema/tool-definition.ts'
import type { ToolFactsInput } from '../../../core/typing/tool-facts.ts'
import { type DocumentWays, documentWays } from './document-ways.ts'

/** The work of an authored tool. Each kind has its own fields. */
export interface ToolSpec {
  readonly kind: string
}

/**
 * The facts that a document may state. Others belong to code: the environment of the server, the
 * tenants that have the tool, former names, labels and threads.
 */
type StatedFacts = Pick<
  ToolFactsInput,
  | 'name'
  | 'title'
  | 'description'
  | 'icon'
  | 'idempotent'
  | 'openWorld'
  | 'examples'
  | 'secrets'
  | 'permission'
  | 'approval'
  | 'runtimes'
  | 'timeoutMs'
  | 'completionMs'
  | 'maxOutputBytes'
  | 'retries'
  | 'cost'
  | 'concurrency'
  | 'sections'
  | 'form'
  | 'view'
  | 'collaborative'
  | 'previewBinds'
  | 'undoMs'
  | 'tests'
  | 'evals'
>

/**
 * A tool as a document: the argument of `defineTool` as plain data. As its author wrote it, without
 * defaults, which are filled in when a tool is created from it.
 */
export interface ToolDocument<Spec extends ToolSpec = ToolSpec> extends StatedFacts, DocumentWays {
  /** By default the effect of the spec; it can raise that, never lower it. */
  effect?: ToolFactsInput['effect']
  execution?: 'inline' | 'background'
  inputSchema: JsonSchema
  outputSchema?: JsonSchema
  spec: Spec
}

/** Limits of a document. Its schemas have narrower ones (`schemaBounds`). */
export const documentBounds = {
  /** Of its JSON. */
  maxBytes: 524_288,
  maxDepth: 64,
} as const

const { shape } = toolFacts

const jsonSchema = z.custom<JsonSchema>(isRecord, { error: 'must be a JSON Schema object' })

/** The form of a document, without the fields of its spec, which its kind checks. */
export const toolDocument = z.strictObject({
  name: z.string().refine(isCanonicalName, {
    error:
      'must be lower-case words joined by dots, like billing.refund: each starts with a letter, then letters, digits, _ or -, at most 100 characters in all',
  }),
  title: shape.title,
  description: shape.description,
  icon: shape.icon,
  effect: shape.effect.optional(),
  idempotent: shape.idempotent,
  openWorld: shape.openWorld,
  examples: shape.examples,
  secrets: shape.secrets,
  permission: shape.permission,
  approval: shape.approval,
  runtimes: shape.runtimes,
  execution: z.enum(['inline', 'background']).optional(),
  timeoutMs: shape.timeoutMs,
  completionMs: shape.completionMs,
  maxOutputBytes: shape.maxOutputBytes,
  retries: shape.retries,
  cost: shape.cost,
  concurrency: shape.concurrency,
  sections: shape.sections,
  form: shape.form,
  view: shape.view,
  collaborative: shape.collaborative,
  ...documentWays,
  previewBinds: shape.previewBinds,
  undoMs: shape.undoMs,
  tests: shape.tests,
  evals: shape.evals,
  inputSchema: jsonSchema,
  outputSchema: jsonSchema.optional(),
  spec: z.looseObject({ kind: z.string().min(1).max(40) }),
})
