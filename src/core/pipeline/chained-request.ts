import type { CallResult } from '../call.ts'
import type { CallRequest } from '../crib-api.ts'
import type { PipelinePorts } from './ports.ts'

/** A request with its place in a chain of calls; doors leave these out. */
export interface ChainedRequest extends CallRequest {
  parentId?: string
  /** The call at the root of the chain; undefined for one that is a root itself. */
  rootId?: string
  depth?: number
  /** The how-manieth call of its parent this is. */
  position?: number
  /** What it is known by when the call above is resumed. */
  askedDigest?: string | undefined
  /** Every tool above can be stopped and run again later, so this call may wait for somebody (true). */
  mayWait?: boolean
  /** The tool above that can not, where it may not wait. */
  heldBy?: string
  /** Secrets of the calls above, by name: what they pass on must not be recorded down here either. */
  secrets?: Readonly<Record<string, string>>
  /** Counts of limits in which this chain has its place already. */
  held?: ReadonlySet<string>
}

/** `callTool`, as the stages below it see it: a tool may call another through the whole pipeline. */
export type CallTool = (request: ChainedRequest, ports: PipelinePorts) => Promise<CallResult>
