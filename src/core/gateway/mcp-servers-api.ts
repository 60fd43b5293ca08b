import type { Caller } from '../kernel/call.ts'

/** The parameters with which an authorization server redirected a browser back. */
export interface McpSignInAnswer {
  state: string
  code?: string
  iss?: string
  error?: string
}

/** A sign-in being finished: its server and its owner. */
export interface McpSignInOffer {
  server: string
  tenant: string
  /** The person who started it, as text. */
  who: string
  /** It was started in this browser's session, so no confirmation is needed. */
  isOwn: boolean
}

/** Methods of MCP servers that doors need in addition to the operations. */
export interface McpServersApi {
  /** True if this caller may use any of it. Missing and hidden servers get the same answer. */
  seesMcpServer(caller: Caller, name: string): Promise<boolean>
  /** The sign-in of this state; throws sign_in_failed if it has expired or was used. */
  findMcpSignIn(state: string, browser: Caller | undefined): Promise<McpSignInOffer>
  /** Finishes it. A sign-in started in a session can only be finished in that session. */
  finishMcpSignIn(answer: McpSignInAnswer, browser: Caller | undefined): Promise<McpSignInOffer>
  /**
   * The client metadata for authorization servers; undefined if it isn't reachable from outside.
   */
  mcpClientMetadata(): Readonly<Record<string, unknown>> | undefined
}
