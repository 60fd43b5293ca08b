import { z } from 'zod'
import type { ErrorCode } from '../kernel/errors.ts'
import type { JsonValue } from '../kernel/json.ts'
import type { Effect } from '../kernel/tool.ts'

/**
 * The accepted definition of a tool: everything a model sees of it. Stored as rule kind `mcp-pin`,
 * under `<server>/<tool>`.
 */
export const toolPinSchema = z.strictObject({
  /** Of the definition, regardless of key order. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  /**
   * Name, title, description, schemas, annotations, icons and `_meta` as accepted; for a rejected
   * tool, as last seen.
   */
  definition: z.record(z.string(), z.json()),
  /** The origin of the pin: first seen, or accepted by someone. */
  by: z.enum(['first-sight', 'accepted']),
  /** For a rejected tool: its definition at that time. Nothing of it is accepted. */
  rejected: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
})

export type ToolPin = z.output<typeof toolPinSchema>

/** One difference between the accepted definition and the current one. */
export interface PinDifference {
  /** JSON pointer into the definition. */
  path: string
  before?: JsonValue
  after?: JsonValue
}

/**
 * A suspicious text of a tool. `hidden` quarantines the tool at first sight; `instruction` is a
 * warning.
 */
export interface LintFinding {
  kind: 'hidden' | 'instruction'
  path: string
  message: string
}

/** The annotations that a server sets on a tool; others are absent. */
export interface ToolHints {
  readOnly?: boolean
  destructive?: boolean
  idempotent?: boolean
  openWorld?: boolean
}

/** The current state of a server's tool. */
export interface ServerTool {
  /** The server's name for it. */
  name: string
  /** Its canonical name here; absent if the name is not valid. */
  tool?: string
  /** The start of its own description. */
  description?: string
  /** The effect used for decisions. */
  effect: Effect
  /**
   * The source of the effect: an operator (`effects`), its own hint, or neither, which makes it
   * `write`.
   */
  effectBy: 'operator' | 'hint' | 'default'
  /** Its own hints. Suggestions, unless operators trust them. */
  hints: ToolHints
  /** An operator trusts its hints (`trustHints`). */
  hintsTrusted: boolean
  state: 'ready' | 'quarantined' | 'left out'
  /** Why it is not in use. */
  reason?: string
  hash?: string
  /**
   * For a quarantined tool: the changes since it was accepted, or the whole definition if it never
   * was.
   */
  differences?: readonly PinDifference[]
  findings: readonly LintFinding[]
}

/**
 * A decision about a tool as it was reviewed. A rejected tool is quarantined until it is accepted.
 */
export interface ToolDecision {
  /** The server's name for it. */
  tool: string
  /** The hash of the reviewed definition. */
  hash: string
  verdict: 'accept' | 'reject'
}

/** The result of a decision: the tool's new state, or why it did not change. */
export interface DecidedTool {
  tool: string
  state?: ServerTool['state']
  problem?: { code: ErrorCode; message: string; fix?: string }
}

/** The name of a pin's rule. */
export function pinName(server: string, tool: string): string {
  return `${server}/${tool}`
}
