import type { JsonValue } from '../kernel/json.ts'

/** Keeps inputs that hold a secret, for work that is done later. */
export interface InputSeal {
  /** Bound to the id of what it is kept with: it opens for nothing else. */
  seal(id: string, input: JsonValue): string
  /** Throws when the master key it was sealed with is gone. */
  open(sealed: string, id: string): JsonValue
}
