import type { Caller, CallResult } from '../kernel/call.ts'
import type { ConversationFor } from '../conversations/conversation-for.ts'
import type { ApprovalTerms } from '../approvals/approval.ts'
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
import type { SkillReader } from '../kernel/context/skill-reader.ts'
import type { KnownSecrets } from '../secrets/known-secrets.ts'
import type { SecretVault } from '../vault-ports.ts'
import type { UploadStore } from '../uploads/upload-store.ts'
import type { WorkQueue } from '../work-ports.ts'
import type { Registry } from '../registry.ts'
import type { ChainedRequest } from './chained-request.ts'
import type { CallRecorder } from './record/call-recorder.ts'
import type { RunningCalls } from './run/running-calls.ts'

/** What a call needs from outside. Made once by `app`, passed to every call. */
export interface PipelinePorts extends PeopleBehind {
  /** The time that decides: the database's, the same on every node. A node's own clock may be wrong. */
  now(): number
  registry: Registry
  /**
   * Gathers what decides for this caller; the same object while nothing has changed. At once where it
   * was gathered before: a call must not wait for what is known.
   */
  scopeFor(caller: Caller): Scope | Promise<Scope>
  /**
   * A caller who asked earlier, with no more than they may do now. Throws forbidden when that is not to
   * call tools any more: a revoked key, a removed member.
   */
  callerNow(caller: Caller): Promise<Caller>
  /** The tools that this tenant has for itself are in the registry once it resolves. */
  readyTools(tenant: string): Promise<void>
  recorder: CallRecorder
  calls: Pick<CallLog, 'start' | 'listChildren' | 'digestInput' | 'find' | 'findWithInput'>
  /** What sessions have seen, for the data-flow rule. */
  flags: Pick<SessionFlagStore, 'read' | 'raise'>
  refusals: Refusals
  work: WorkPort
  running: RunningCalls
  /** Calls a tool on behalf of another, through the whole pipeline. Never rejects. */
  callTool(request: ChainedRequest): Promise<CallResult>
  artifacts: ArtifactStore
  uploads: Pick<UploadStore, 'find' | 'read' | 'use'>
  secrets: Pick<SecretVault, 'read' | 'list'>
  /** Told the secrets of every call that has some: they are kept out of the log of the process. */
  knownSecrets: Pick<KnownSecrets, 'note'>
  /** Values of these environment variables; absent where not set or empty. */
  readEnv(names: readonly string[]): Record<string, string>
  /** Waits until a call that may run on another node has settled; its record as it then stands. */
  waitForCall(tenant: string, callId: string, signal: AbortSignal | undefined): Promise<CallResult>
  limits: PipelineLimits
  limiter: Limiter
  approvals: ApprovalPort
  /** What makes the lazy members of a tool's context. */
  capabilities: CapabilityMap
  /** What the calling agent may read of its skills. */
  skillsFor(caller: Caller): SkillReader
  /** Opens the conversation that a call is made in; absent until agents have opened. */
  conversationFor?: ConversationFor
  onSettled(fact: SettledFact): void
  onWarning(message: string): void
}

/** What a call that is run later needs of the queue. */
export interface WorkPort extends Pick<WorkQueue, 'prepare'> {
  /** Does this process take work from the queue? Else a background tool is run on the spot. */
  isRunner: boolean
  /** Throws rate_limited with the time to come back when too much waits already. */
  checkRoom(tenant: string): void
  /** Something has changed that may let waiting work go on. */
  wake(): void
  /** Where somebody outside completes this call. */
  completionUrl(callId: string): string
}

/** What a call that a person is asked about needs. */
export interface ApprovalPort extends Pick<
  ApprovalStore,
  'listRules' | 'decide' | 'expire' | 'findWithCall'
> {
  /** On which terms a call of this tool by this agent waits for people. */
  termsFor(tool: NamedTool, scope: Scope): ApprovalTerms
  /** Somebody outside is told of every call that waits. */
  isAnnounced: boolean
}

export interface PipelineLimits {
  /** How deep `ctx.call` may nest: each level holds memory and a record open. */
  maxCallDepth: number
  /** A full output beyond this is kept only up to here. */
  maxArtifactBytes: number
}

/** For metrics: one settled call. */
export interface SettledFact {
  tool: string
  status: CallResult['status']
  durationMs: number
}
