import type { CallRecord, CallResult, Caller } from '../../core/kernel/call.ts'
import type { ArtifactReference } from '../../core/kernel/artifact-reference.ts'
import type { Approval } from '../../core/approvals/approval.ts'
import type { Groups } from '../../core/async/groups.ts'
import type { ConversationStore } from '../../core/conversations/conversation-store.ts'
import type { CallRequest } from '../../core/kernel/call-request.ts'
import type { ToolOffer } from '../../core/offer/tool-offer.ts'
import type { InputSeal } from '../../core/secrets/input-seal.ts'
import type { EventLog } from '../../core/events/event-log.ts'
import type { ModelSource } from '../model-source.ts'

/** Numbers that bound turns. */
export interface TurnLimits {
  /** Turns that one node works on at once. */
  atOnce: number
  /** The most of these for one tenant, so that others always have capacity. */
  tenantAtOnce: number
  maxSteps: number
  subagentSteps: number
  /** How long an agent that was asked or sent out may work on end. Where it waits for others, their limits count. */
  subagentMs: number
  /** A node that was silent for so long has lost its turns. */
  leaseMs: number
  /** One model call, from asking to its last word. */
  modelMs: number
  /** From one request to the first sign of an answer. */
  firstMs: number
  /** The same where it is asked once more: a dead connection is the reason, not a long thought. */
  againMs: number
  /** Between two chunks of a model's answer. */
  chunkMs: number
  modelRetries: number
  /** How long calls of a turn may stay unsettled: then they fail, and the model gets the reason. */
  waitMs: number
  /** The share of a model's window that may be used before older messages are summarised. */
  compactAt: number
  callsAtOnce: number
  /** The most calls of one answer; further ones are refused, and the model gets the reason. */
  callsPerStep: number
  /** Of one answer, with what it wants tools to do. */
  answerChars: number
}

/** Dependencies of turns. */
export interface TurnPorts {
  /** The time that decides: the database's, the same on every node. */
  now(): number
  store: ConversationStore
  inputs: InputSeal
  groups: Groups
  events: Pick<EventLog, 'watch'>
  models: ModelSource
  offer(caller: Caller): ToolOffer | Promise<ToolOffer>
  /** Never rejects. */
  call(request: CallRequest): Promise<CallResult>
  /** The current state of a call, by its id. */
  findCall(tenant: string, callId: string): Promise<CallRecord | undefined>
  /** A picture or file that was stored apart from the output of a call, if it still exists. */
  readArtifact(
    tenant: string,
    callId: string,
    artifact: ArtifactReference,
  ): Promise<Uint8Array | undefined>
  /**
   * Puts files into the workspace that the caller works in and returns their paths. The same files
   * again are not put there twice.
   */
  keepAttachments(
    caller: Caller,
    files: readonly { name?: string | undefined; mediaType: string; bytes: Uint8Array }[],
  ): Promise<string[]>
  /** All calls that have joined a group, each with the key it was made by. */
  groupCalls(tenant: string, groupId: string): Promise<readonly { callId: string; key?: string }[]>
  cancelCall(caller: Caller, callId: string): Promise<void>
  findApproval(tenant: string, id: string): Promise<Approval | undefined>
  /** Throws `forbidden` if the person who began a turn may not let it continue. */
  assertCaller(caller: Caller): Promise<void>
  /**
   * Throws `budget_exceeded`, or `forbidden`, if models may not be used any more. Given the cost
   * afterwards, it returns whether a budget counted it.
   */
  enterModel(caller: Caller): Promise<{ spend(cost: number): boolean }>
  limits: TurnLimits
  onWarning(message: string): void
}
