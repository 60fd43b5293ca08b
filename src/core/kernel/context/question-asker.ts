import type { JsonSchema, JsonValue } from '../json.ts'

/** A question to people, with the form that they answer. */
export interface NewQuestion {
  title: string
  text?: string | undefined
  /** The JSON Schema of an answer. Default: one text named `answer`. */
  schema?: JsonSchema | undefined
  /** As the `form` of a tool. */
  form?: JsonValue | undefined
  /** `requester`, `role:operator`, `user:<id or email>`. Default: the caller. */
  to?: readonly string[] | undefined
  /** A duration such as `2h`; default `7d`. */
  expiresIn?: string | undefined
  remindEvery?: string | undefined
  /** The answer if nobody answers in time; without it the call fails. */
  onExpiry?: JsonValue | undefined
}

/** Asks people. For tools with `execution: 'external'`: the answer ends the call. */
export interface QuestionAsker {
  /** Idempotent, so it can be repeated after a crash: a call asks one question. */
  ask(question: NewQuestion): Promise<{ questionId: string }>
}
