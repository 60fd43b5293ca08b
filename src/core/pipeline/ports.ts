import type { Caller, CallResult } from '../kernel/call.ts'
import type { ApprovalTerms } from '../approvals/approval.ts'
import type { WorkspaceMode } from '../kernel/context/workspace.ts'
import type { ToolContract } from '../kernel/tool.ts'
import type { Limiter } from '../limits/permit.ts'
import type { Refusals } from '../explain/refusals.ts'
import type { SessionFlagStore } from '../flow/session-flags.ts'
import type { NamedTool } from '../patterns/patterns.ts'
import type { Scope } from '../policy/scope.ts'
import type { PeopleBehind } from '../approvals/askers.ts'
import type { ApprovalStore } from '../approval-store.ts'
import type { ArtifactStore } from '../artifact-store.ts'
import type { CallLog } from '../call-log.ts'
import type { CapabilityMap } from './capabilities/capability.ts'
import type { KnownSecrets } from '../secrets/known-secrets.ts'
import type { SecretVault } from '../vault-ports.ts'
import type { UploadStore } from '../uploads/upload-store.ts'
import type { WorkQueue } from '../work-ports.ts'
import type { RegisteredTool, Registry } from '../registry.ts'
import type { ChainedRequest } from './chained-request.ts'
import type { CallRecorder } from './record/call-recorder.ts'
import type { RunningCalls } from './run/running-calls.ts'

/** The dependencies of a call. Created once by `app`, passed to every call. */
export interface PipelinePorts extends PeopleBehind {
  /**
   * The authoritative time: the database's, the same on every node. A node's own clock may be
   * wrong.
   */
  now(): number
  registry: Registry
  /**
   * Collects the rules that apply to this caller; the same object while nothing has changed.
   * Synchronous once it was collected: a call must not wait for known values.
   */
  scopeFor(caller: Caller): Scope | Promise<Scope>
  /**
   * The current rights of a caller who asked earlier. Throws forbidden when they may no longer call
   * tools: a revoked key, a removed member.
   */
  callerNow(caller: Caller): Promise<Caller>
  /** An earlier version of a tool, if its source still has it. */
  findVersion(tenant: string, name: string, version: string): Promise<RegisteredTool | undefined>
  /** Resolves when this tenant's own tools are in the registry. */
  readyTools(tenant: string): Promise<void>
  recorder: CallRecorder
  calls: Pick<
    CallLog,
    'start' | 'listChildren' | 'digestInput' | 'find' | 'findWithInput' | 'list' | 'requestCancel'
  >
  /** The flags of sessions, for the data-flow rule. */
  flags: Pick<SessionFlagStore, 'read' | 'raise'>
  /** The mode of workspaces, for tools that change files. */
  workspaceAccess: WorkspaceAccess
  refusals: Refusals
  work: WorkPort
  running: RunningCalls
  /** Calls a tool on behalf of another, through the whole pipeline. Never rejects. */
  callTool(request: ChainedRequest): Promise<CallResult>
  artifacts: ArtifactStore
  uploads: Pick<UploadStore, 'find' | 'read' | 'use'>
  secrets: Pick<SecretVault, 'read' | 'list'>
  /** Records the secrets of every call that has some: they are kept out of the process log. */
  knownSecrets: Pick<KnownSecrets, 'note'>
  /** Values of these environment variables; absent where not set or empty. */
  readEnv(names: readonly string[]): Record<string, string>
  /** Waits until a call that may run on another node has settled, and returns its record. */
  waitForCall(tenant: string, callId: string, signal: AbortSignal | undefined): Promise<CallResult>
  limits: PipelineLimits
  limiter: Limiter
  approvals: ApprovalPort
  /** Creates the lazy members of a tool's context. */
  capabilities: CapabilityMap
  onSettled(fact: SettledFact): void
  onWarning(message: string): void
}

/** The part of workspaces that decisions need. */
export interface WorkspaceAccess {
  /** True for tools that change files: they need approval in a workspace that asks. */
  mayAsk(contract: ToolContract): boolean
  /** The mode of the workspace that a caller works in, or would. */
  modeFor(caller: Caller): Promise<WorkspaceMode>
}

/** The part of the queue that background calls need. */
export interface WorkPort extends Pick<WorkQueue, 'prepare'> {
  /**
   * True if this process takes work from the queue. Otherwise a background tool runs immediately.
   */
  isRunner: boolean
  /** Throws rate_limited with a retry time when the backlog is too long. */
  checkRoom(tenant: string): void
  /**
   * Lets a running call wait for calls in the queue without stopping, until the returned function is
   * called. Undefined if too many do: they hold workers that the queued calls need.
   */
  keepWorker(): (() => void) | undefined
  /** Signals a change that may unblock waiting work. */
  wake(): void
  /** The URL where an external worker completes this call. */
  completionUrl(callId: string): string
}

/** The dependencies of a call that needs approval. */
export interface ApprovalPort extends Pick<
  ApprovalStore,
  'listRules' | 'decide' | 'expire' | 'find' | 'findWithCall' | 'reopen'
> {
  /** The terms under which calls of this tool by this agent wait for people. */
  termsFor(tool: NamedTool, scope: Scope): ApprovalTerms
  /** True if an outside system is notified of every waiting call. */
  isAnnounced: boolean
}

export interface PipelineLimits {
  /** The maximum depth of `ctx.call`: each level keeps memory and a record open. */
  maxCallDepth: number
  /** A larger full output is cut to this size. */
  maxArtifactBytes: number
}

/** For metrics: one settled call. */
export interface SettledFact {
  tool: string
  status: CallResult['status']
  durationMs: number
}
