import type { JsonValue } from './json.ts'

declare global {
  /**
   * The tools of a project by name, with the types of their input and output. `toolcrib types` and
   * `toolcrib dev` generate it. While it is empty, any name may be called with any input.
   *
   * Global, so that one declaration serves every entry of the package.
   */
  interface ToolcribTools {}
}

/** A tool that can be called: its name and, for the compiler only, its types. */
export interface CallableTool<Input = unknown, Output = unknown> {
  readonly contract: { readonly name: string }
  /** Never set: it carries the types. */
  readonly '~types'?: { readonly input: Input; readonly output: Output } | undefined
}

/** A tool name that `toolcrib types` has generated. */
export type KnownToolName = Extract<keyof ToolcribTools, string>

/**
 * A tool name: any string until `toolcrib types` has generated the names, then one of these, or a
 * name from another source such as `mcp:files:read` or `agent:ops`.
 */
export type ToolName = NameIn<ToolcribTools>

type NameIn<Tools> = [keyof Tools] extends [never]
  ? string
  : Extract<keyof Tools, string> | `${string}:${string}`

/** The input of a tool, given as the value of `defineTool` or as a name. */
export type InputOf<T> =
  T extends CallableTool<infer Input>
    ? Input
    : T extends KnownToolName
      ? ToolcribTools[T] extends { input: infer Input }
        ? Input
        : unknown
      : unknown

/** The output of a tool, given as the value of `defineTool` or as a name. */
export type OutputOf<T> =
  T extends CallableTool<unknown, infer Output>
    ? Output
    : T extends KnownToolName
      ? ToolcribTools[T] extends { output: infer Output }
        ? Output
        : JsonValue
      : JsonValue

/** The input, optional where `{}` is valid, followed by the options. */
export type CallArguments<Input, Options> = {} extends Input
  ? [input?: Input, options?: Options]
  : [input: Input, options?: Options]

/** The input alone, optional where `{}` is valid. */
export type InputArgument<Input> = {} extends Input ? [input?: Input] : [input: Input]

/** Makes nullable keys optional too: the pipeline fills them in. */
export type Sendable<T> = T extends readonly unknown[]
  ? { [Index in keyof T]: Sendable<T[Index]> }
  : T extends object
    ? Flat<
        { [Key in keyof T as IsFilled<T[Key]> extends true ? never : Key]: Sendable<T[Key]> } & {
          [Key in keyof T as IsFilled<T[Key]> extends true ? Key : never]?: Sendable<T[Key]>
        }
      >
    : T

type IsFilled<T> = unknown extends T ? false : null extends T ? true : false

/**
 * Flattens to one object type, so that editors and errors list its keys: an inferred type has no
 * name.
 */
export type Flat<T> = T extends infer Whole ? { [Key in keyof Whole]: Whole[Key] } : never

/** The name of the tool, given either way. */
export function nameOfTool(tool: CallableTool | string): string {
  return typeof tool === 'string' ? tool : tool.contract.name
}
