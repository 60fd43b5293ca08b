import type { CallContext } from './call.ts'
import type { ClientAbility } from './context/caller-client.ts'
import type { StepCalls } from './context/step-calls.ts'
import type { Issue } from './errors.ts'
import type { FormSpec } from './views/form-spec.ts'
import type { ToolLabels } from './tool-labels.ts'
import type { PlannedStep } from './steps/planned-step.ts'
import type { PreviewFacts, ToolPreview } from './trial/tool-preview.ts'
import type { ToolEval } from './trial/tool-eval.ts'
import type { ToolTest } from './trial/tool-test.ts'
import type { UndoByTool, UndoFacts } from './trial/tool-undo.ts'
import type { JsonSchema, JsonValue } from './json.ts'
import type { Runtime } from './runtime.ts'
import type { SecretProbes } from './secret-probe.ts'
import type { CallableTool } from './callable-tool.ts'
import type { SectionFields } from './views/section-fields.ts'
import type { ViewSpec } from './views/view-spec.ts'

export type { JsonSchema, JsonValue } from './json.ts'
export type { Runtime } from './runtime.ts'

/**
 * The effect of a call on the world. Maps to MCP's annotations and decides what is recorded before
 * it runs.
 */
export type Effect = (typeof effects)[number]

/** The weakest first. */
export const effects = ['read', 'write', 'destructive'] as const

/** The origin of a tool. */
export type ToolOrigin = 'builtin' | 'code' | 'authored' | 'gateway' | 'api' | 'agent'

export interface ToolExample {
  label: string
  input: JsonValue
}

/** An icon by its address, as in MCP. */
export interface ToolIcon {
  src: string
  mimeType?: string
  sizes?: string[]
  theme?: 'light' | 'dark'
}

/** While the option, or without it the secret, has this value. */
export interface SecretCondition {
  option?: string | undefined
  secret?: string | undefined
  is: string
}

export interface SecretRequirement {
  key: string
  label: string
  optional: boolean
  /** When an optional one is required nevertheless. */
  requiredWhen?: SecretCondition | undefined
  type: 'text' | 'select'
  choices: readonly string[]
  sensitive: boolean
}

export type SectionType =
  | 'summary'
  | 'table'
  | 'chart'
  | 'radar'
  | 'ranking'
  | 'markdown'
  | 'image'
  | 'json'
  | 'code'
  | 'terminal'
  | 'diff'
  | 'page'

/** How one key of the output is displayed. */
export interface OutputSection {
  key: string
  label: string
  type: SectionType
  /** Keys that hold facts about it, where they have other names. */
  fields?: SectionFields
}

/**
 * The facts of a tool as data: they can be listed, shown as a form, sent to a model and stored
 * without running anything. Every source produces this shape.
 */
export interface ToolContract {
  name: string
  title: string
  description: string
  icon: string | undefined
  /** The first part of the name, or the pack that contains the tool. */
  pack: string
  source: ToolOrigin
  effect: Effect
  idempotent: boolean
  openWorld: boolean
  inputSchema: JsonSchema
  outputSchema: JsonSchema | undefined
  /** Settings that an operator may set for each agent; the tool reads them from `ctx.options`. */
  optionsSchema: JsonSchema | undefined
  examples: readonly ToolExample[]
  secrets: readonly SecretRequirement[]
  env: readonly string[]
  permission: string | undefined
  approval: 'auto' | 'always'
  /** Empty means every tenant. */
  tenants: readonly string[]
  /** Empty means every runtime; otherwise a harness tool that exists in these only. */
  runtimes: readonly Runtime[]
  execution: 'inline' | 'background' | 'external'
  /** `worker`: its function runs in its own thread, which is terminated when the call ends. */
  isolation: 'inline' | 'worker'
  timeoutMs: number
  /** For external tools: how long the external worker may take after the work was handed over. */
  completionMs: number
  maxOutputBytes: number
  retries: number
  /** Units that a completed call costs, beside what it reports; for budgets and usage figures. */
  cost: number
  /**
   * How many of its calls may run from the queue at once, across all nodes; undefined: no limit of
   * its own.
   */
  concurrency: number | undefined
  sections: readonly OutputSection[]
  /** How people fill in its input, where the schema alone is not enough. */
  form: FormSpec | undefined
  view: ViewSpec | undefined
  collaborative: boolean
  aliases: readonly string[]
  /**
   * The data it reads and its effects, as declared by its author; applies to the operator's own
   * tools only.
   */
  labels?: ToolLabels
  /**
   * Abilities that the client needs: doors that know them refuse other clients before anything
   * runs.
   */
  clientNeeds?: readonly ClientAbility[]
  /** Icons that another server provides, for clients that show them. */
  icons?: readonly ToolIcon[]
  /** It can show what a call would do. */
  preview?: PreviewFacts
  /** Its calls can be undone. */
  undo?: UndoFacts
  tests?: readonly ToolTest[]
  evals?: readonly ToolEval[]
}

/** Takes any value and returns it checked, or the problems and their places. Never throws. */
export type ValueParser = (value: unknown) => ParseResult
export type ParseResult = { ok: true; value: unknown } | { ok: false; issues: Issue[] }

/**
 * The executable half of a tool. With `create`, it is built per call because a schema depends on
 * the caller.
 */
export interface ToolBehaviour {
  parseInput: ValueParser
  parseOutput: ValueParser
  /**
   * Values a generator yields are partial output; its return value is the result. Resumable tools
   * get a third argument, and make their calls with it.
   */
  execute: (input: unknown, context: CallContext, steps?: StepCalls) => unknown
  /** From `create`: the schema for this caller, which may hide more than the published one. */
  inputSchema?: JsonSchema
}

/**
 * Shows what a call would do. Its context refuses every effect. `calls`: the tool runs with this
 * context, and the previews of the calls it would make are put together.
 */
export type PreviewFunction = (
  input: unknown,
  context: CallContext,
) => ToolPreview | Promise<ToolPreview>
export type PreviewWay = PreviewFunction | 'calls'

/** Takes back what a call with this input and output has done. `calls`: undoes the calls it made, last first. */
export type UndoFunction = (input: unknown, output: JsonValue, context: CallContext) => unknown
export type UndoWay = UndoFunction | UndoByTool | 'calls'

/**
 * A defined tool: its contract, and access to its behaviour. Frozen. `Input` and `Output` are what
 * callers send and get; a tool of unknown types is a `Tool`.
 */
export interface Tool<Input = unknown, Output = unknown> extends CallableTool<Input, Output> {
  readonly contract: ToolContract
  /** Schemas and function for this call. Parsers are compiled on first use and cached. */
  readonly behaviour: (context: CallContext) => ToolBehaviour | Promise<ToolBehaviour>
  /** Built by `create`: the real schemas need a context, so the input is parsed again with them. */
  readonly isDynamic: boolean
  /**
   * It continues after a wait, a crash or a stop of its server: it is run from the beginning and
   * finds the calls it has made by their step keys.
   */
  readonly isResumable?: true
  /** For a resumable tool: how long a call may take as a whole, waiting included. */
  readonly deadlineMs?: number | undefined
  /** For a composition: its steps, in order. */
  readonly steps?: readonly PlannedStep[] | undefined
  /** Delays its own start: the time, or undefined to start now. It is queued until then. */
  readonly startAt?: ((input: unknown, now: number) => number | undefined) | undefined
  /**
   * With `approval: 'always'`: whether a call with this input changes something. One that doesn't
   * needs no approval; every other one needs its own, which can't be remembered.
   */
  readonly asksEachTime?: ((input: unknown) => boolean) | undefined
  /** Parses without a context, for `check`, forms and tests. */
  readonly parseInput: ValueParser
  /** Parses an operator's settings and fills in defaults. */
  readonly parseOptions: ValueParser
  /**
   * Problems in the definition that are not fatal, such as examples that do not match the schema.
   */
  readonly warnings: readonly Issue[]
  readonly aggregate: ((submissions: readonly JsonValue[]) => JsonValue) | undefined
  /** Checks for its secrets. */
  readonly checkSecrets?: SecretProbes | undefined
  readonly preview?: PreviewWay | undefined
  readonly undo?: UndoWay | undefined
}

/** Tools that belong together and share needs and a default policy. */
export interface Pack {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly tools: readonly Tool[]
  /** Hidden until the tenant enables it. */
  readonly optIn: boolean
  /** The policy groups this pack belongs to (`group:fs`). */
  readonly groups: readonly string[]
  /** Checks for the secrets that its tools declare. */
  readonly checkSecrets?: SecretProbes | undefined
}
