import type { CallRequest } from '../kernel/call-request.ts'

/** A request with its place in a chain of calls. Doors leave these fields out. */
export interface ChainedRequest extends CallRequest {
  parentId?: string
  /** The call at the root of the chain; undefined for one that is a root itself. */
  rootId?: string
  depth?: number
  /** Its position among the calls that its parent makes. */
  position?: number
  /** The digest by which the call above finds it again when it is resumed. */
  askedDigest?: string | undefined
  /** Every tool above can be stopped and run again later, so this call may wait (default: true). */
  mayWait?: boolean
  /** The tool above that prevents waiting. */
  heldBy?: string
  /** Secrets of the calls above, by name: they must not be recorded with this call either. */
  secrets?: Readonly<Record<string, string>>
  /** Limit counts that this chain already holds a place in. */
  held?: ReadonlySet<string>
  /** Of a call that is already stored: it keeps its id and its times. */
  stored?: { callId: string; timeoutMs: number; requestedAt: number }
}
