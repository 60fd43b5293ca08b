import { z } from 'zod'
import type { ErrorCode } from '../kernel/errors.ts'
import type { JsonValue } from '../kernel/json.ts'
import type { Effect } from '../kernel/tool.ts'

/**
 * What was accepted of one tool: everything a model sees of it. Kept as rule kind `mcp-pin`, under
 * `<server>/<tool>`.
 */
export const toolPinSchema = z.strictObject({
  /** Over the definition, key order aside. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  /** Name, title, description, schemas, annotations, icons and `_meta` as they were accepted; of a rejected tool, last. */
  definition: z.record(z.string(), z.json()),
  /** How it came to be: seen for the first time, or accepted by somebody. */
  by: z.enum(['first-sight', 'accepted']),
  /** Of a tool that somebody has said no to: what it was then. Nothing of it is accepted. */
  rejected: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
})

export type ToolPin = z.output<typeof toolPinSchema>

/** One difference between what was accepted and what the server says now. */
export interface PinDifference {
  /** JSON pointer into the definition. */
  path: string
  before?: JsonValue
  after?: JsonValue
}

/** Something odd in a tool's words. `hidden` sets the tool aside at first sight; `instruction` is told. */
export interface LintFinding {
  kind: 'hidden' | 'instruction'
  path: string
  message: string
}

/** What a server claims of a tool in its annotations; what it does not claim is absent. */
export interface ToolHints {
  readOnly?: boolean
  destructive?: boolean
  idempotent?: boolean
  openWorld?: boolean
}

/** A tool of a server as it stands. */
export interface ServerTool {
  /** As the server calls it. */
  name: string
  /** Its canonical name here; absent where it can have none. */
  tool?: string
  /** What it says of itself, the beginning of it. */
  description?: string
  /** What decisions take it to do. */
  effect: Effect
  /** Who says so: an operator (`effects`), its own hint, or nobody, which makes it `write`. */
  effectBy: 'operator' | 'hint' | 'default'
  /** What it says of itself. A suggestion, unless operators trust it. */
  hints: ToolHints
  /** An operator believes its hints (`trustHints`). */
  hintsTrusted: boolean
  state: 'ready' | 'quarantined' | 'left out'
  /** Why it is not in use. */
  reason?: string
  hash?: string
  /** Of a tool that is set aside: what has changed since it was accepted, or all of it where nothing was. */
  differences?: readonly PinDifference[]
  findings: readonly LintFinding[]
}

/** What somebody says to a tool as they have seen it. A rejected one is set aside until it is accepted. */
export interface ToolDecision {
  /** As the server calls it. */
  tool: string
  /** Of what was looked at. */
  hash: string
  verdict: 'accept' | 'reject'
}

/** What became of a decision: how the tool stands, or why it was left as it is. */
export interface DecidedTool {
  tool: string
  state?: ServerTool['state']
  problem?: { code: ErrorCode; message: string; fix?: string }
}

/** The name of a pin's rule. */
export function pinName(server: string, tool: string): string {
  return `${server}/${tool}`
}
