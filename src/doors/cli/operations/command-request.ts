import type { OperationMethod } from '../../../core/operations/operation.ts'

/** How the text of an option becomes a value. */
export type CommandFieldKind = 'text' | 'texts' | 'number' | 'decimal' | 'flag' | 'json'

/** A field of an operation's input. */
export interface RequestField {
  place: 'path' | 'query' | 'body'
  /** The keys that lead to it. */
  path: readonly string[]
  kind: CommandFieldKind
  summary: string
  isRequired?: true
  min?: number
  max?: number
  choices?: readonly string[]
}

/** A field of an answer, or of the items of a list. */
export interface AnswerField {
  name: string
  kind: 'text' | 'time' | 'json'
}

/** How a command sends its request, and the fields of the answer. */
export interface CommandRequest {
  method: OperationMethod
  /** Below `/api/v1`. */
  path: string
  fields: readonly RequestField[]
  hasBody?: true
  /** The answer has `items`, of which the fields below are. */
  isList?: true
  /** Absent where nothing comes back. */
  answer?: readonly AnswerField[]
}
