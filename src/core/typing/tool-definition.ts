import type { CallContext, Completion } from '../kernel/call.ts'
import type { JsonSchema, JsonValue } from '../kernel/json.ts'
import type { SchemaInputOf, SchemaLike, TypeOf } from '../schema/schema-like.ts'
import type { SecretProbe } from '../kernel/secret-probe.ts'
import type { Tool } from '../kernel/tool.ts'
import type { ToolPreview } from '../kernel/trial/tool-preview.ts'
import type { UndoByTool } from '../kernel/trial/tool-undo.ts'
import type { Sendable } from '../kernel/callable-tool.ts'
import type { Execution, SecretDeclaration, ToolFactsInput } from './tool-facts.ts'
import type { ToolNeeds } from '../kernel/tool-needs.ts'
import type { DeclaredNeeds, SecretsOf } from './declared-needs.ts'

/**
 * The return value of `execute`: the output, a promise of it, or a generator whose yields are
 * partial output.
 */
export type Executed<Output> = Output | Promise<Output> | AsyncGenerator<unknown, Output | void>

/** The result of `create` for one call: the schemas and the function. */
export interface ExecuteDefinition<
  Input extends SchemaLike,
  Output extends SchemaLike,
  Needs extends ToolNeeds,
> {
  /**
   * The input, as an object: zod, another Standard Schema, or JSON Schema. Validated before
   * `execute` runs.
   */
  inputSchema: Input
  /** The output. Validated after `execute` ran. */
  outputSchema?: Output
  /**
   * Does the work. Gets the validated input, and `ctx` with secrets, the abort signal, progress and
   * more.
   */
  execute(input: TypeOf<Input>, ctx: CallContext<Needs>): Executed<TypeOf<Output>>
}

/**
 * The fields of every definition besides its schemas and its function. Not an interface, like its
 * facts.
 */
export type CommonDefinition<
  Secrets extends readonly SecretDeclaration[],
  Env extends readonly string[],
  Options extends SchemaLike,
  Way extends Execution,
> = ToolFactsInput<Secrets, Env, Way> & {
  /**
   * The options that an operator may set for each agent, passed as `ctx.options`. Every option
   * needs a default.
   */
  optionsSchema?: Options
  /** Merges the inputs that several people submitted to a collaborative tool. */
  aggregate?: (submissions: readonly JsonValue[]) => JsonValue
  /** Checks that people can run on its secrets before the first call, by key. */
  checkSecrets?: { readonly [Key in keyof SecretsOf<Secrets>]?: SecretProbe }
}

/** For external tools the return value of `execute` is not used: the output comes from outside. */
type ExecutedAs<Way extends Execution, Output> = Way extends 'external' ? unknown : Executed<Output>

/** External tools can complete the call from outside. */
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
   * The input, as an object: zod, another Standard Schema, or JSON Schema. Validated before
   * `execute` runs. With `create` it is shown in lists and forms, any object by default.
   */
  inputSchema: Input
  /** The output. Validated after `execute` ran. With `create` it is shown in lists. */
  outputSchema?: Output
  /**
   * Does the work. Gets the validated input, and `ctx` with secrets, the abort signal, progress and
   * more. Returns the output, or is a generator that yields partial output. For external tools it
   * hands the work over with `ctx.completion`, and its return value is not used.
   */
  execute(
    input: TypeOf<Input>,
    ctx: ContextAs<Way, DeclaredNeeds<Secrets, Env, Options>>,
  ): ExecutedAs<Way, TypeOf<Output>>
  /**
   * Shows what a call would do, without doing it. `ctx` refuses effects: calls of tools that do more
   * than read, writing to the workspace, and requests other than GET, HEAD and OPTIONS. `calls`
   * puts the previews of the calls together that `execute` would make.
   */
  preview?:
    | ((
        input: TypeOf<Input>,
        ctx: CallContext<DeclaredNeeds<Secrets, Env, Options>>,
      ) => ToolPreview | Promise<ToolPreview>)
    | 'calls'
  /**
   * Takes a completed call back, with its input and output: a function, or another tool with an input
   * whose texts name `{{input.…}}` and `{{output.…}}`. `calls` undoes the calls that it made, last first.
   */
  undo?:
    | ((
        input: TypeOf<Input>,
        output: TypeOf<Output>,
        ctx: CallContext<DeclaredNeeds<Secrets, Env, Options>>,
      ) => unknown)
    | UndoByTool
    | 'calls'
}

/**
 * A tool whose schemas depend on the caller. It may also have the schemas of the other kind, but
 * does not declare them: editors show no text for fields that both sides of a union declare.
 */
export interface CreateDefinition<
  Input extends SchemaLike,
  Output extends SchemaLike,
  Secrets extends readonly SecretDeclaration[],
  Env extends readonly string[],
  Options extends SchemaLike,
> {
  /** Creates the schemas and the function for one call. Used instead of `execute`. */
  create(
    ctx: CallContext<DeclaredNeeds<Secrets, Env, Options>>,
  ):
    | ExecuteDefinition<Input, Output, DeclaredNeeds<Secrets, Env, Options>>
    | Promise<ExecuteDefinition<Input, Output, DeclaredNeeds<Secrets, Env, Options>>>
}

/**
 * The tool of a definition with these schemas: callers send the type of the first and get the type
 * of the second.
 */
export type DefinedTool<Input extends SchemaLike, Output extends SchemaLike> = Tool<
  Sendable<SchemaInputOf<Input>>,
  unknown extends TypeOf<Output> ? JsonValue : TypeOf<Output>
>

/** The type of an omitted `outputSchema`. */
export type NoSchema = JsonSchema
