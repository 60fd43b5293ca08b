import type { ArtifactReference, CallRecord, CallResult, Caller } from '../../core/kernel/call.ts'
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
  /** Of these, turns of one tenant: the others have room whatever it does. */
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
  /** How long calls of a turn may stay unsettled: then they are failed, and the model is told. */
  waitMs: number
  /** What of a model's window may be used before older messages are summed up. */
  compactAt: number
  callsAtOnce: number
  /** Calls of one answer; what is beyond is refused, and the model is told. */
  callsPerStep: number
  /** Of one answer, with what it wants tools to do. */
  answerChars: number
}

/** What turns need of the crib. */
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
  /** A call by its id, as it stands. */
  findCall(tenant: string, callId: string): Promise<CallRecord | undefined>
  /** A picture or file that was put aside from the output of a call, where it is still there. */
  readArtifact(
    tenant: string,
    callId: string,
    artifact: ArtifactReference,
  ): Promise<Uint8Array | undefined>
  /** The calls that have joined a group, however they stand, each with the key that it was made by. */
  groupCalls(tenant: string, groupId: string): Promise<readonly { callId: string; key?: string }[]>
  cancelCall(caller: Caller, callId: string): Promise<void>
  findApproval(tenant: string, id: string): Promise<Approval | undefined>
  /** Throws `forbidden` where whoever began a turn may not have it go on. */
  assertCaller(caller: Caller): Promise<void>
  /**
   * Throws `budget_exceeded`, or `forbidden`, where models may not be used any more. Told what it cost
   * afterwards, it says whether a budget has counted that.
   */
  enterModel(caller: Caller): Promise<{ spend(cost: number): boolean }>
  limits: TurnLimits
  onWarning(message: string): void
}
