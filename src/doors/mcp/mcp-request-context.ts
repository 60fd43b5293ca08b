import type { Caller } from '../../core/kernel/call.ts'

/** Which part of a crib an address shows: all that the caller may use, or one MCP server behind it. */
export interface McpScope {
  /** The tools, prompts and resources of this server alone, under its own names. */
  server?: string
}

/** One request that has passed the door: who it is from, and how to ask again whether it still may. */
export interface McpRequestContext {
  caller: Caller
  scope: McpScope
  /** Throws when the key of this request is no longer valid. For answers that stay open. */
  recheck(): Promise<void>
  /** In a session that is a name and no more: a cancel comes as a request of its own. */
  isLight?: true
}

/**
 * The same in a session. The session is the conversation of its client: what it found stays listed
 * there, and what it has read is remembered there.
 */
export function inSession(requestContext: McpRequestContext, id: string): McpRequestContext {
  return { ...requestContext, caller: callerIn(requestContext.caller, id) }
}

export function callerIn(caller: Caller, id: string): Caller {
  return { ...caller, sessionId: `mcp:${id}` }
}

/** Numbers that bound what MCP clients may cost. */
export interface McpLimits {
  /** Tools, prompts or resources in one page of a list. */
  pageSize: number
  /** How long a client may keep a list without asking again, in milliseconds. */
  listTtlMs: number
  /** Sessions of clients of the older eras, of all callers and of one. */
  maxSessions: number
  maxSessionsPerCaller: number
  sessionIdleMs: number
  /** Calls that wait for an answer of their client, of all callers and of one. */
  maxParked: number
  maxParkedPerCaller: number
  /** How long a client may take to answer what a tool asks. */
  askMs: number
  /** How long a call is waited for whose client can't come back for it. */
  waitMs: number
  /** A call that runs longer becomes a task, where the client can have tasks. */
  taskAfterMs: number
  /** Streams of list changes, open at once. */
  maxStreams: number
  /** Between two signs of life on a quiet stream. */
  keepAliveMs: number
}

export const normalMcpLimits: McpLimits = {
  pageSize: 1000,
  listTtlMs: 60_000,
  maxSessions: 1000,
  maxSessionsPerCaller: 100,
  sessionIdleMs: 1_800_000,
  maxParked: 1000,
  maxParkedPerCaller: 100,
  askMs: 600_000,
  // Most clients give a request 60 seconds.
  waitMs: 50_000,
  taskAfterMs: 10_000,
  maxStreams: 4096,
  keepAliveMs: 15_000,
}

/** One name for everything that a principal holds here. */
export function holderOf({ tenant, principal, agent }: Caller): string {
  return JSON.stringify([tenant, principal.kind, principal.id, agent ?? null])
}

/** Are these two of one tenant? A slug has no comma in it. */
export function isSameTenant(left: string, right: string): boolean {
  const tenant = left.slice(0, left.indexOf(',') + 1)
  return right.startsWith(tenant)
}
