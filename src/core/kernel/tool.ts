import type { CallContext } from './call.ts'
import type { ClientAbility } from './context/caller-client.ts'
import type { Issue } from './errors.ts'
import type { FormSpec } from './views/form-spec.ts'
import type { ToolLabels } from './tool-labels.ts'
import type { JsonSchema, JsonValue } from './json.ts'
import type { Runtime } from './runtime.ts'
import type { SecretProbes } from './secret-probe.ts'
import type { CallableTool } from './callable-tool.ts'
import type { ViewSpec } from './views/view-spec.ts'

export type { JsonSchema, JsonValue } from './json.ts'
export type { Runtime } from './runtime.ts'

/** What a call does to the world. Maps to MCP's annotations and decides what is recorded before it runs. */
export type Effect = 'read' | 'write' | 'destructive'

/** Where a tool came from. */
export type ToolSource = 'builtin' | 'code' | 'authored' | 'gateway' | 'agent'

export interface ToolExample {
  label: string
  input: JsonValue
}

/** A picture by its address, as MCP has it. */
export interface ToolIcon {
  src: string
  mimeType?: string
  sizes?: string[]
  theme?: 'light' | 'dark'
}

export interface SecretRequirement {
  key: string
  label: string
  optional: boolean
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

/** How one key of the output is shown to people. */
export interface OutputSection {
  key: string
  label: string
  type: SectionType
}

/**
 * The facts of a tool as data: what can be listed, shown as a form, sent to a model and stored
 * without running anything. Every source makes this shape.
 */
export interface ToolContract {
  name: string
  title: string
  description: string
  icon: string | undefined
  /** The name's first part, or the pack that holds the tool. */
  pack: string
  source: ToolSource
  effect: Effect
  idempotent: boolean
  openWorld: boolean
  inputSchema: JsonSchema
  outputSchema: JsonSchema | undefined
  /** What an operator may set for each agent; the tool gets it as `ctx.options`. */
  optionsSchema: JsonSchema | undefined
  examples: readonly ToolExample[]
  secrets: readonly SecretRequirement[]
  env: readonly string[]
  permission: string | undefined
  approval: 'auto' | 'always'
  /** Empty means every tenant. */
  tenants: readonly string[]
  /** Empty means every runtime; otherwise a harness tool that exists in these alone. */
  runtimes: readonly Runtime[]
  execution: 'inline' | 'background' | 'external'
  /** `worker`: its function runs in a thread of its own, which is ended when the call ends. */
  isolation: 'inline' | 'worker'
  timeoutMs: number
  /** External tools: how long the worker outside may take, once the work was handed over. */
  completionMs: number
  maxOutputBytes: number
  retries: number
  /** Units that a completed call costs, beside what it reports; for budgets and usage figures. */
  cost: number
  /** How many of its calls may run from the queue at once, over all nodes; undefined: no limit of its own. */
  concurrency: number | undefined
  sections: readonly OutputSection[]
  /** How people fill its input in, where the schema alone does not say it well. */
  form: FormSpec | undefined
  view: ViewSpec | undefined
  collaborative: boolean
  aliases: readonly string[]
  /** What it reads and affects, as its author says; counts for tools of our own people alone. */
  labels?: ToolLabels
  /** What the calling program must be able to do: doors that know refuse others before anything runs. */
  clientNeeds?: readonly ClientAbility[]
  /** Pictures that another server gives it, for clients that show them. */
  icons?: readonly ToolIcon[]
}

/** Unknown in, checked value out, or what is wrong and where. Never throws. */
export type ValueParser = (value: unknown) => ParseResult
export type ParseResult = { ok: true; value: unknown } | { ok: false; issues: Issue[] }

/** The running half of a tool. With `create`, it is made per call because a schema depends on the caller. */
export interface ToolBehaviour {
  parseInput: ValueParser
  parseOutput: ValueParser
  /** A generator's yields are partial output; its last value is the result. */
  execute: (input: unknown, context: CallContext) => unknown
  /** Of what `create` made: the schema for this caller, which may hide more than the published one. */
  inputSchema?: JsonSchema
}

/**
 * A defined tool: its contract, and the way to its behaviour. Frozen. `Input` and `Output` are what
 * callers send and get; a tool of unknown types is a `Tool`.
 */
export interface Tool<Input = unknown, Output = unknown> extends CallableTool<Input, Output> {
  readonly contract: ToolContract
  /** Schemas and function for this call. Parsers are compiled on first use and cached. */
  readonly behaviour: (context: CallContext) => ToolBehaviour | Promise<ToolBehaviour>
  /** Made by `create`: the real schemas are known only with a context, so input is parsed again by them. */
  readonly isDynamic: boolean
  /** Parses without a context, for `check`, forms and tests. */
  readonly parseInput: ValueParser
  /** What an operator has set, checked and with its defaults. */
  readonly parseOptions: ValueParser
  /** What was odd but not fatal at definition: examples that do not fit, for instance. */
  readonly warnings: readonly Issue[]
  readonly aggregate: ((submissions: readonly JsonValue[]) => JsonValue) | undefined
  /** Ways to try out its secrets. */
  readonly checkSecrets?: SecretProbes | undefined
}

/** Tools that belong together and share needs and a default policy. */
export interface Pack {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly tools: readonly Tool[]
  /** Hidden until the tenant turns it on. */
  readonly optIn: boolean
  /** The policy groups this pack belongs to (`group:fs`). */
  readonly groups: readonly string[]
  /** Ways to try out the secrets that its tools declare. */
  readonly checkSecrets?: SecretProbes | undefined
}
