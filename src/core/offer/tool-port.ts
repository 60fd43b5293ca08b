import type { ArtifactReference, CallRecord, CallResult } from '../kernel/call.ts'
import type { CallRequest } from '../kernel/call-request.ts'
import type { OfferedTool, ToolOffer } from './tool-offer.ts'

/** What a tool call of an SDK may say; who calls is known already. */
export type PortRequest = Pick<
  CallRequest,
  | 'tool'
  | 'input'
  | 'idempotencyKey'
  | 'timeoutMs'
  | 'respondAsync'
  | 'priority'
  | 'startAt'
  | 'waitMs'
  | 'groupId'
  | 'signal'
  | 'onOutput'
  | 'onCall'
>

/** What a person answered about a call, as a conversation tells it. */
export interface ApprovalAnswer {
  approvalId: string
  callId: string
  approved: boolean
  reason?: string
}

/**
 * A crib as one caller meets it, here or behind HTTP: what doors for agent SDKs are built on.
 * `call` and `ask` never reject; the others throw a ToolError.
 */
export interface ToolPort {
  /**
   * The same object while nothing has changed. What is kept for a while is given as it is, unless it
   * is asked for anew because something was just found.
   */
  offer(options?: { isAnew?: boolean }): ToolOffer | Promise<ToolOffer>
  /** By wire name or canonical name, listed or not. */
  findTool(name: string): Promise<OfferedTool | undefined>
  call(request: PortRequest): Promise<CallResult>
  /**
   * Stores the call as waiting if a person has to be asked about it; undefined where nobody has to
   * be. Needs an idempotency key, by which `call` then finds it. Never rejects.
   */
  ask(request: PortRequest): Promise<CallResult | undefined>
  findCall(callId: string, options?: { waitMs?: number; signal?: AbortSignal }): Promise<CallRecord>
  /** The calls that were made with this key, whatever their tools. */
  findByKey(idempotencyKey: string): Promise<CallRecord[]>
  cancel(callId: string): Promise<CallRecord>
  /** The bytes of a picture or file that was put aside from the output of a call. */
  readArtifact?(callId: string, artifact: ArtifactReference): Promise<Uint8Array>
  /**
   * Makes an answer in a conversation a decision, as whoever gives it there. Where it is missing,
   * only what was decided elsewhere counts.
   */
  decide?(answer: ApprovalAnswer): Promise<unknown>
}
