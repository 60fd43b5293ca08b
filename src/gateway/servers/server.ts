import type { Principal } from '../../core/kernel/call.ts'
import type { McpServerSpec } from '../../core/gateway/server-spec.ts'
import type { ServerStatus } from '../../core/gateway/server-status.ts'
import type { OwnTool } from '../../core/tenant-tables.ts'
import type { Use } from './create-slot.ts'
import type { ServerFacts } from '../upstream/server-facts.ts'

/** Events of a server for listeners other than the tools. */
export interface ServerNews {
  /** `uri` if the content of that address changed, else a list. */
  uri?: string
}

/** One server of one tenant, for as long as it is reached in the same way. */
export interface Server {
  readonly facts: ServerFacts
  /** Begins to connect; does not wait. */
  start(): void
  tools(): Promise<readonly OwnTool[]>
  status(): ServerStatus
  /** Connects, whatever the backoff, and lists. */
  refresh(principal?: Principal): Promise<void>
  /** For requests beside calls: prompts, resources, completion. */
  use(principal?: Principal): Promise<Use>
  watch(listener: (news: ServerNews) => void): () => void
  stop(principal?: Principal): Promise<void>
  /** Secrets may have changed: connections with old ones are not used again, and one that lacked them is tried. */
  renew(): Promise<void>
  /** New settings of a server that is reached as before: running calls continue. */
  adopt(spec: McpServerSpec): void
  close(): Promise<void>
}
