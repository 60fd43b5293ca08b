import type { Caller } from '../kernel/call.ts'

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

/** What doors ask of MCP servers beside the operations. */
export interface McpServersApi {
  /** May this caller use anything of it? Missing ones and those that policy hides are one answer. */
  seesMcpServer(caller: Caller, name: string): Promise<boolean>
  /** What a sign-in that comes back is for; throws sign_in_failed for one that is over. */
  findMcpSignIn(state: string, browser: Caller | undefined): Promise<McpSignInOffer>
  /** Ends it. One that was begun in a session is ended in that session alone. */
  finishMcpSignIn(answer: McpSignInAnswer, browser: Caller | undefined): Promise<McpSignInOffer>
  /** Who we are to authorization servers; undefined where that can't be read from outside. */
  mcpClientMetadata(): Readonly<Record<string, unknown>> | undefined
}
