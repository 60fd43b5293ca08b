import type { CallRequest } from '../kernel/call-request.ts'
import type { Rerun } from '../kernel/steps/rerun.ts'
import type { RegisteredTool } from '../registry.ts'
import type { Shield } from './shielded/shield.ts'

/** A request with its position in a chain of calls. Doors leave these fields out. */
export interface ChainedRequest extends CallRequest {
  parentId?: string
  /** The call at the root of the chain; undefined for the root itself. */
  rootId?: string
  depth?: number
  /** Its position among the calls that its parent makes. */
  position?: number
  /** The digest by which the parent call finds it again when it is resumed. */
  askedDigest?: string | undefined
  /** For a call that a resumable tool makes. */
  step?: StepFacts
  /** Every tool above can be stopped and rerun later, so this call may wait (default: true). */
  mayWait?: boolean
  /** The tool above that prevents waiting. */
  heldBy?: string
  /** Secrets of the parent calls, by name: they must not be recorded with this call either. */
  secrets?: Readonly<Record<string, string>>
  /** Limit counts in which this chain already holds a slot. */
  held?: ReadonlySet<string>
  /** The call that this one undoes. */
  undoes?: string | undefined
  /** The call that this one runs again, and from where. */
  rerun?: Rerun | undefined
  /** It and the calls below may have no effects. */
  shield?: Shield | undefined
  /** The tool itself, where it is not the registered one: a draft under test, an earlier version. */
  candidate?: RegisteredTool | undefined
  /** A draft is tried for real: the candidate is kept for later runs, and each effect below is asked for. */
  isTrial?: boolean | undefined
  /** For a stored call: it keeps its id and its times. */
  stored?: { callId: string; timeoutMs: number; requestedAt: number }
}

/** The facts of a call that is a step. */
export interface StepFacts {
  key: string
  /** The idempotency key, for a step that is more than an inline read. */
  idempotencyKey: string
  isItem: boolean
  itemCount?: number
  /** Resolves when everything the step may rest on is on disk; awaited before it is stored. */
  barrier(): Promise<void>
}
