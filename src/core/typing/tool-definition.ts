import type { CallContext, Completion } from '../kernel/call.ts'
import type { JsonSchema, JsonValue } from '../kernel/json.ts'
import type { SchemaInputOf, SchemaLike, TypeOf } from '../schema/schema-like.ts'
import type { SecretProbe } from '../kernel/secret-probe.ts'
import type { Tool } from '../kernel/tool.ts'
import type { Sendable } from '../kernel/callable-tool.ts'
import type { Execution, SecretDeclaration, ToolFactsInput } from './tool-facts.ts'
import type { ToolNeeds } from '../kernel/tool-needs.ts'
import type { DeclaredNeeds, SecretsOf } from './declared-needs.ts'

/** What `execute` may return: the output, a promise of it, or a generator whose yields are partial output. */
export type Executed<Output> = Output | Promise<Output> | AsyncGenerator<unknown, Output | void>

/** What `create` makes for one call: the schemas and the function. */
export interface ExecuteDefinition<
  Input extends SchemaLike,
  Output extends SchemaLike,
  Needs extends ToolNeeds,
> {
  /** What it takes, as an object: zod, another Standard Schema, or JSON Schema. Checked before `execute` runs. */
  inputSchema: Input
  /** What it answers. Checked after `execute` ran. */
  outputSchema?: Output
  /** Does the work. Gets the checked input, and `ctx` with secrets, the abort signal, progress and more. */
  execute(input: TypeOf<Input>, ctx: CallContext<Needs>): Executed<TypeOf<Output>>
}

/** What every definition has beside its schemas and its function. Not an interface, as its facts. */
export type CommonDefinition<
  Secrets extends readonly SecretDeclaration[],
  Env extends readonly string[],
  Options extends SchemaLike,
  Way extends Execution,
> = ToolFactsInput<Secrets, Env, Way> & {
  /** What an operator may set for each agent, given as `ctx.options`. Every option needs a default. */
  optionsSchema?: Options
  /** Joins what several people submitted to a collaborative tool. */
  aggregate?: (submissions: readonly JsonValue[]) => JsonValue
  /** Checks that people can run on its secrets before the first call, by key. */
  checkSecrets?: { readonly [Key in keyof SecretsOf<Secrets>]?: SecretProbe }
}

/** Of external tools, what `execute` returns is not used: the output comes from outside. */
type ExecutedAs<Way extends Execution, Output> = Way extends 'external' ? unknown : Executed<Output>

/** External tools have the means to complete the call. */
type ContextAs<Way extends Execution, Needs extends ToolNeeds> = CallContext<Needs> &
  (Way extends 'external' ? { completion: Completion } : unknown)

/** A tool with one function. */
export interface ToolDefinition<
  Input extends SchemaLike,
  Output extends SchemaLike,
  Secrets extends readonly SecretDeclaration[],
  Env extends readonly string[],
  Options extends SchemaLike,
  Way extends Execution,
> {
  /**
   * What it takes, as an object: zod, another Standard Schema, or JSON Schema. Checked before `execute`
   * runs. Beside `create` it is what lists and forms show, any object unless given.
   */
  inputSchema: Input
  /** What it answers. Checked after `execute` ran. Beside `create` it is what lists show. */
  outputSchema?: Output
  /**
   * Does the work. Gets the checked input, and `ctx` with secrets, the abort signal, progress and
   * more. Returns the output, or is a generator that yields partial output. Of external tools it hands
   * the work over with `ctx.completion`, and what it returns is not used.
   */
  execute(
    input: TypeOf<Input>,
    ctx: ContextAs<Way, DeclaredNeeds<Secrets, Env, Options>>,
  ): ExecutedAs<Way, TypeOf<Output>>
}

/**
 * A tool whose schemas depend on the caller. It may have the schemas of the other too, and does not
 * declare them: editors show no text for what both sides of a union declare.
 */
export interface CreateDefinition<
  Input extends SchemaLike,
  Output extends SchemaLike,
  Secrets extends readonly SecretDeclaration[],
  Env extends readonly string[],
  Options extends SchemaLike,
> {
  /** Makes the schemas and the function for one call. Instead of `execute`. */
  create(
    ctx: CallContext<DeclaredNeeds<Secrets, Env, Options>>,
  ):
    | ExecuteDefinition<Input, Output, DeclaredNeeds<Secrets, Env, Options>>
    | Promise<ExecuteDefinition<Input, Output, DeclaredNeeds<Secrets, Env, Options>>>
}

/** The tool of a definition with these schemas: callers send what the one takes and get what the other says. */
export type DefinedTool<Input extends SchemaLike, Output extends SchemaLike> = Tool<
  Sendable<SchemaInputOf<Input>>,
  unknown extends TypeOf<Output> ? JsonValue : TypeOf<Output>
>

/** What stands for an `outputSchema` that is not given. */
export type NoSchema = JsonSchema
