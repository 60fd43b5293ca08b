import type { CallRecord, CallResult } from '../kernel/call.ts'
import type { ArtifactReference } from '../kernel/artifact-reference.ts'
import type { CallRequest } from '../kernel/call-request.ts'
import type { OfferedTool, ToolOffer } from './tool-offer.ts'

/** The fields of a tool call that an SDK may set; the caller is already known. */
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

/** A person's answer about a call, as the conversation reports it. */
export interface ApprovalAnswer {
  approvalId: string
  callId: string
  approved: boolean
  reason?: string
}

/**
 * A Toolcrib server as one caller sees it, in process or over HTTP: the base of the doors for agent
 * SDKs. `call` and `ask` never reject; the others throw a ToolError.
 */
export interface ToolPort {
  /**
   * The same object while nothing has changed. A cached offer is returned as it is, unless a new
   * one is requested because a tool was just found.
   */
  offer(options?: { isAnew?: boolean }): ToolOffer | Promise<ToolOffer>
  /** By wire name or canonical name, listed or not. */
  findTool(name: string): Promise<OfferedTool | undefined>
  call(request: PortRequest): Promise<CallResult>
  /**
   * Stores the call as waiting if it needs approval; undefined if it doesn't. Needs an idempotency
   * key, by which `call` then finds it. Never rejects.
   */
  ask(request: PortRequest): Promise<CallResult | undefined>
  findCall(callId: string, options?: { waitMs?: number; signal?: AbortSignal }): Promise<CallRecord>
  /** All calls that were made with this key, of any tool. */
  findByKey(idempotencyKey: string): Promise<CallRecord[]>
  cancel(callId: string): Promise<CallRecord>
  /** The bytes of an image or file that was stored separately from a call's output. */
  readArtifact?(callId: string, artifact: ArtifactReference): Promise<Uint8Array>
  /**
   * Turns an answer in a conversation into a decision by the person who gives it there. If missing,
   * only decisions made elsewhere count.
   */
  decide?(answer: ApprovalAnswer): Promise<unknown>
}
