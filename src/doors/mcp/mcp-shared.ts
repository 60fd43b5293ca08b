import type { ServerContext } from '@modelcontextprotocol/server'
import type { ClientAbility } from '../../core/kernel/context/caller-client.ts'
import type { CoreApi } from '../../core/crib-api.ts'
import type { LiveCalls } from './calls/live-calls.ts'
import type { OpenRequests } from './calls/open-requests.ts'
import type { ParkedDialogs } from './calls/parked-dialogs.ts'
import type { McpLimits, McpRequestContext } from './mcp-request-context.ts'
import type { McpEra } from './results/mcp-output.ts'

/** State that all requests share. */
export interface McpShared {
  readonly api: CoreApi
  readonly limits: McpLimits
  readonly parked: ParkedDialogs
  readonly live: LiveCalls
  readonly openRequests: OpenRequests
  readonly version: string
  /** Receives every failure without a code, which is a bug, for the log. */
  onFault(error: unknown): void
}

/** How a client is spoken to: once per request, over a session, or over a pipe of its own. */
export interface McpConversation {
  requestContext: McpRequestContext
  era: McpEra
  /** Whether it can receive requests and notifications outside its own requests. */
  isTwoWay: boolean
  /** Called when the client has searched: the tools it found are listed from now on. */
  onSearched?(): void
}

/** One request in its conversation. */
export interface McpRequest extends McpConversation {
  shared: McpShared
  abilities: ReadonlySet<ClientAbility>
}

/** Runs a handler with what it needs; coded failures leave as JSON-RPC errors. */
export type Attend = <T>(
  context: ServerContext,
  handle: (request: McpRequest) => Promise<T>,
) => Promise<T>
