import type { JsonValue } from './json.ts'

declare global {
  /**
   * The tools of a project by name, with the types of their input and output. `toolcrib types` and
   * `toolcrib dev` write it. While it is empty, any name may be called, with any input.
   *
   * Global, so that one declaration serves every entry of the package.
   */
  interface ToolcribTools {}
}

/** What calling a tool takes: its name and, for the compiler alone, its types. */
export interface CallableTool<Input = unknown, Output = unknown> {
  readonly contract: { readonly name: string }
  /** Never set: it carries the types. */
  readonly '~types'?: { readonly input: Input; readonly output: Output } | undefined
}

/** A name that `toolcrib types` has written down. */
export type KnownToolName = Extract<keyof ToolcribTools, string>

/**
 * A tool's name: any text until `toolcrib types` has written down the names, then one of these, or a
 * name of another source such as `mcp:files:read` or `agent:ops`.
 */
export type ToolName = NameIn<ToolcribTools>

type NameIn<Tools> = [keyof Tools] extends [never]
  ? string
  : Extract<keyof Tools, string> | `${string}:${string}`

/** What the caller of a tool sends: the value of `defineTool`, or a name. */
export type InputOf<T> =
  T extends CallableTool<infer Input>
    ? Input
    : T extends KnownToolName
      ? ToolcribTools[T] extends { input: infer Input }
        ? Input
        : unknown
      : unknown

/** What a tool answers: the value of `defineTool`, or a name. */
export type OutputOf<T> =
  T extends CallableTool<unknown, infer Output>
    ? Output
    : T extends KnownToolName
      ? ToolcribTools[T] extends { output: infer Output }
        ? Output
        : JsonValue
      : JsonValue

/** The input, which may be left out where `{}` would do, and then the options. */
export type CallArguments<Input, Options> = {} extends Input
  ? [input?: Input, options?: Options]
  : [input: Input, options?: Options]

/** The input alone, which may be left out where `{}` would do. */
export type InputArgument<Input> = {} extends Input ? [input?: Input] : [input: Input]

/** Keys that may be null may be left out as well: the pipeline fills them in. */
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

/** One object type, which editors and errors show key by key: inferred, it has no name of its own. */
export type Flat<T> = T extends infer Whole ? { [Key in keyof Whole]: Whole[Key] } : never

/** The name of what is called, given either way. */
export function nameOfTool(tool: CallableTool | string): string {
  return typeof tool === 'string' ? tool : tool.contract.name
}
