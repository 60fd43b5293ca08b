import type { JsonValue } from '../kernel/json.ts'

/** Seals inputs that contain a secret, for work that is done later. */
export interface InputSeal {
  /** Bound to the id of its owner: it opens for nothing else. */
  seal(id: string, input: JsonValue): string
  /** Throws when the master key it was sealed with is missing. */
  open(sealed: string, id: string): JsonValue
}
