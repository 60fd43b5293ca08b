import type { CallResult, Caller, Progress } from './kernel/call.ts'
import type { EventType } from './events/event.ts'
import type { EventDoor } from './events/event-door.ts'
import type { McpServersApi } from './gateway/mcp-servers-api.ts'
import type { OfferApi } from './offer/tool-offer.ts'
import type { CallRequest } from './kernel/call-request.ts'
import type { CompletionReceipt, CompletionReport } from './async/completion.ts'
import type { OperationRequest } from './operations/run-operation.ts'
import type { OAuthApi } from './oauth/oauth-api.ts'
import type { ChatDoor } from './conversations/conversation-api.ts'
import type { LibraryApi } from './library/library-api.ts'
import type { SignInDoor } from './sign-in/sign-in.ts'
import type { Runtime } from './kernel/tool.ts'
import type { NodeBus } from './work-ports.ts'

/** How the crib is doing, part by part. */
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
  /** What went wrong, where it was left out: line and column from 1. */
  error?: { message: string; line?: number; column?: number }
  warnings: readonly string[]
}

/**
 * Everything a door may do. Doors hold no rules of their own: permissions, tenancy and limits are
 * checked behind this interface. Methods throw a ToolError, except `call` and `ask`, which never reject.
 */
export interface CoreApi
  extends SignInDoor, OfferApi, LibraryApi, ChatDoor, EventDoor, McpServersApi, OAuthApi {
  /**
   * The caller of this API key, or of this access token of a configured issuer; undefined for anything
   * wrong with it. `runtime` is the door's. Throws forbidden for a good token that lets nobody in.
   */
  authenticate(token: string, runtime: Runtime): Promise<Caller | undefined>
  /**
   * The caller as it acts in this tenant, with its own permissions and as itself. Operators may act in
   * every tenant; for others the tenants that are not theirs are not_found, like missing ones.
   */
  actIn(caller: Caller, tenant: string): Promise<Caller>
  call(request: CallRequest): Promise<CallResult>
  /**
   * Stores the call as waiting if a person has to be asked about it, and says so; undefined where
   * nobody has to be, so that it can be called. With an idempotency key that was used before, how
   * that call stands. Never rejects.
   */
  ask(request: CallRequest): Promise<CallResult | undefined>
  /** For a word between the doors of the nodes; absent where there is one node. */
  readonly bus?: NodeBus
  /**
   * Ends a call from outside. The token alone says who that is: unknown ids and wrong tokens are
   * not_found. The report is read after that.
   */
  complete(
    callId: string,
    token: string,
    read: () => Promise<CompletionReport>,
  ): Promise<CompletionReceipt>
  /** What a worker outside reports meanwhile, by the same token; already_settled tells it to stop. */
  reportProgress(callId: string, token: string, read: () => Promise<Progress>): Promise<void>
  /** Calls the listener when something changed that may end what this caller is doing. Returns how to stop. */
  watchAccess(caller: Caller, listener: () => void): () => void
  /** Runs an operation of a feature, for a door that has read a request for it. */
  runOperation(name: string, caller: Caller, request: OperationRequest): Promise<unknown>
  /** Files of the scanned folders with what they gave, for `dev`, `check` and `doctor`. */
  loadReports(): readonly LoadReport[]
  health(): Promise<HealthReport>
  /** Prometheus text. */
  metrics(): Promise<string>
}

/** Event types by which a call ends. */
export const settledEventTypes = [
  'call.completed',
  'call.failed',
  'call.denied',
  'call.cancelled',
] as const satisfies readonly EventType[]
