import type { Principal } from '../../core/kernel/call.ts'
import type { McpServerSpec } from '../../core/gateway/server-spec.ts'
import type { ServerStatus } from '../../core/gateway/server-status.ts'
import type { OwnTool } from '../../core/tenant-tables.ts'
import type { Use } from './create-slot.ts'
import type { ServerFacts } from '../upstream/server-facts.ts'

/** What somebody beside the tools wants to hear of. */
export interface ServerNews {
  /** `uri` where what stands under it has changed, else a list. */
  uri?: string
}

/** One server of one tenant, for as long as it is reached in the same way. */
export interface Server {
  readonly facts: ServerFacts
  /** Begins to connect; does not wait. */
  start(): void
  tools(): Promise<readonly OwnTool[]>
  status(): ServerStatus
  /** Connects whatever the backoff says, and lists. */
  refresh(principal?: Principal): Promise<void>
  /** For requests beside calls: prompts, resources, completion. */
  use(principal?: Principal): Promise<Use>
  watch(listener: (news: ServerNews) => void): () => void
  stop(principal?: Principal): Promise<void>
  /** Secrets may have changed: connections with old ones are not used again, and one that lacked them is tried. */
  renew(): Promise<void>
  /** Other settings of a server that is reached as before: what runs goes on. */
  adopt(spec: McpServerSpec): void
  close(): Promise<void>
}
