import type { PlacedFinding } from './kernel/finding.ts'
import type { CallResult, Caller } from './kernel/call.ts'
import type { EventType } from './events/event.ts'
import type { EventDoor } from './events/event-door.ts'
import type { McpServersApi } from './gateway/mcp-servers-api.ts'
import type { OfferApi } from './offer/tool-offer.ts'
import type { CallRequest } from './kernel/call-request.ts'
import type { CompletionDoor } from './async/completion.ts'
import type { OperationRequest } from './operations/run-operation.ts'
import type { OAuthApi } from './oauth/oauth-api.ts'
import type { ChatDoor } from './conversations/conversation-api.ts'
import type { LibraryApi } from './library/library-api.ts'
import type { SignInDoor } from './sign-in/sign-in.ts'
import type { Runtime } from './kernel/tool.ts'
import type { NodeBus } from './work-ports.ts'

/** The health of the server, part by part. */
export interface HealthReport {
  status: 'ok' | 'failing' | 'draining'
  version: string
  store: 'pglite' | 'postgres'
  checks: Record<string, { ok: boolean; message?: string }>
}

/** A file of tools, as the loader found it. */
export interface LoadReport {
  file: string
  tools: readonly string[]
  /** The error, if it was left out: line and column from 1. */
  error?: { message: string; line?: number; column?: number }
  warnings: readonly string[]
  /** For a file that is a document: everything that was found, with its place. */
  findings?: readonly PlacedFinding[]
}

/**
 * The functions that doors use in addition to operations. A member is here because it cannot be an operation: every call runs it
 * (`offer`, `call`, `ask`), its answer continues (events, chat, `watch…`), there is no caller yet
 * (sign-in, tokens, completion), or only MCP has it (prompts and resources). Doors have no rules of
 * their own: permissions, tenancy and limits are checked behind this interface. Methods throw a
 * ToolError, except `call` and `ask`, which never reject.
 */
export interface CoreApi
  extends
    OfferApi,
    ChatDoor,
    EventDoor,
    CompletionDoor,
    SignInDoor,
    McpServersApi,
    OAuthApi,
    LibraryApi {
  call(request: CallRequest): Promise<CallResult>
  /**
   * Stores the call as waiting if it needs approval, and returns it; undefined if it needs none, so
   * that it can be called. With an idempotency key that was used before, the state of that call.
   * Never rejects.
   */
  ask(request: CallRequest): Promise<CallResult | undefined>
  /** Runs an operation of a feature, for a door that has read a request for it. */
  runOperation(name: string, caller: Caller, request: OperationRequest): Promise<unknown>
  /**
   * The caller of this API key, or of this access token of a configured issuer; undefined for an
   * invalid one. `runtime` is the door's. Throws forbidden for a valid token without access.
   */
  authenticate(token: string, runtime: Runtime): Promise<Caller | undefined>
  /**
   * The caller acting in this tenant, with its own permissions and identity. Operators may act in
   * every tenant; for others foreign tenants are not_found, like missing ones.
   */
  actIn(caller: Caller, tenant: string): Promise<Caller>
  /**
   * Called on changes that may revoke what this caller is doing. Returns a function that
   * unsubscribes.
   */
  watchAccess(caller: Caller, listener: () => void): () => void
  /** For messages between the doors of the nodes; absent with a single node. */
  readonly bus?: NodeBus
  /** The scanned tool files with their results, for `dev`, `check` and `doctor`. */
  loadReports(): readonly LoadReport[]
  /** For `/readyz`. */
  health(): Promise<HealthReport>
  /** Prometheus text format. */
  metrics(): Promise<string>
}

/** The event types that end a call. */
export const settledEventTypes = [
  'call.completed',
  'call.failed',
  'call.denied',
  'call.cancelled',
] as const satisfies readonly EventType[]
