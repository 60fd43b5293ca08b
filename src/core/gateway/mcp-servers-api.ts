import type { Caller, Principal } from '../kernel/call.ts'
import type { ListQuery, Page } from '../kernel/page.ts'
import type { McpServerSpec } from './server-spec.ts'
import type { ServerState, ServerStatus } from './server-status.ts'
import type { DecidedTool, ServerTool, ToolDecision } from './tool-pin.ts'

/** An MCP server as people manage it. Its secrets stand there by name, never by value. */
export interface McpServer extends Partial<McpServerSpec> {
  name: string
  transport: 'stdio' | 'http' | 'unknown'
  /** Configuration declares it: it can't be changed elsewhere. */
  isDeclared: boolean
  /** Every tenant has it. */
  isForEveryone: boolean
  state: ServerState | 'closed'
  /** Why it is not connected, or not used at all. */
  reason?: string
  /** What would mend it. */
  fix?: string
  /** By how they stand. `beyond`: more than are taken in of one server, at least so many. */
  toolCounts: { ready: number; quarantined: number; leftOut: number; beyond?: number }
  /** Protocol revision and era. */
  protocol?: { version: string; era: 'modern' | 'legacy' }
  /** What it says of itself. */
  about?: ServerStatus['about']
  listedAt?: string
  updatedAt?: string
  updatedBy?: Principal
}

/** What came of trying a server out. */
export interface McpServerTest {
  ok: boolean
  durationMs: number
  protocol?: McpServer['protocol']
  about?: McpServer['about']
  tools: readonly ServerTool[]
  /** The process that calls use was asked: a program is not started beside itself. */
  isLive?: true
  /** What is wrong, and the way out. */
  problem?: { code: string; message: string; fix?: string }
  /** The end of what a program wrote to its error output. */
  errorOutput?: string
}

/** Somebody's sign-in to a server. */
export interface McpConnection {
  /** `kind:id` of a principal; absent for the tenant as a whole. */
  subject?: string
  isMine: boolean
  issuer: string
  connectedAt: string
  updatedAt: string
}

/** What an authorization server sent a browser back with. */
export interface McpSignInAnswer {
  state: string
  code?: string
  iss?: string
  error?: string
}

/** A sign-in that comes back: to which server, and for whom. */
export interface McpSignInOffer {
  server: string
  tenant: string
  /** Whoever began it, in words. */
  who: string
  /** It was begun in this browser's session, so nobody needs to be asked. */
  isOwn: boolean
}

/** MCP servers whose tools are brought in. */
export interface McpServersApi {
  /** By name, everybody's among them. */
  listMcpServers(caller: Caller, query: ListQuery): Promise<Page<McpServer>>
  findMcpServer(caller: Caller, name: string): Promise<McpServer>
  /** May this caller use anything of it? Missing ones and those that policy hides are one answer. */
  seesMcpServer(caller: Caller, name: string): Promise<boolean>
  addMcpServer(caller: Caller, name: string, spec: unknown): Promise<McpServer>
  /** What is given replaces what was there; null takes it away. */
  changeMcpServer(
    caller: Caller,
    name: string,
    change: Readonly<Record<string, unknown>>,
  ): Promise<McpServer>
  /** With its pins and connections; its processes end. */
  removeMcpServer(caller: Caller, name: string): Promise<void>
  /** Connects and lists, and changes nothing. With a spec: before it is added. */
  testMcpServer(caller: Caller, name: string, spec?: unknown): Promise<McpServerTest>
  /** Connects now and lists anew; with `restart`, after what is open was ended: of a declared server on this node, of others on all. */
  refreshMcpServer(
    caller: Caller,
    name: string,
    options?: { restart?: boolean },
  ): Promise<McpServer>
  listMcpTools(caller: Caller, name: string): Promise<ServerTool[]>
  /** Binds to what was looked at: conflict when the tool has another hash by now. */
  decideMcpTool(caller: Caller, name: string, decision: ToolDecision): Promise<ServerTool>
  /** The same for many: what is wrong with one keeps no other back. In the order they came in. */
  decideMcpTools(
    caller: Caller,
    name: string,
    decisions: readonly ToolDecision[],
  ): Promise<DecidedTool[]>
  /** Where to sign in; works once, for some minutes. */
  authorizeMcpServer(caller: Caller, name: string): Promise<{ url: string; expiresAt: string }>
  /** One's own; with `mcp.manage` everybody's. */
  listMcpConnections(caller: Caller, name: string): Promise<McpConnection[]>
  /** Gives a sign-in up, one's own unless a subject is named. */
  disconnectMcpServer(caller: Caller, name: string, subject?: string): Promise<void>
  /** What a sign-in that comes back is for; throws sign_in_failed for one that is over. */
  findMcpSignIn(state: string, browser: Caller | undefined): Promise<McpSignInOffer>
  /** Ends it. One that was begun in a session is ended in that session alone. */
  finishMcpSignIn(answer: McpSignInAnswer, browser: Caller | undefined): Promise<McpSignInOffer>
  /** Who we are to authorization servers; undefined where that can't be read from outside. */
  mcpClientMetadata(): Readonly<Record<string, unknown>> | undefined
}
