import type { ApprovalOf } from './approvals/approval-id.ts'
import type { Approval, ApprovalQuery, DecisionRequest } from './approvals/approval.ts'
import type { CallRecord, CallResult } from './kernel/call.ts'
import type { CallQuery } from './call-log.ts'
import type { JsonValue } from './kernel/json.ts'
import type { Page } from './kernel/page.ts'

/** Selects calls; newest first, 50 by default. */
export type CallListQuery = Partial<Omit<CallQuery, 'formerNames' | 'isBrief'>>

/** Converts a query of calls to the fields of the API. */
export function toCallFields({ parentId, underId, fromMs, toMs, ...query }: CallListQuery) {
  const named = { parent: parentId, under: underId, from: toTime(fromMs), to: toTime(toMs) }
  return { ...query, ...named }
}

function toTime(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString()
}

/** The record of calls. `As` selects the caller, if it can be selected. */
export interface CribCalls<As = unknown> {
  /** One call in its current state. Throws `not_found`. */
  get(callId: string, as?: As): Promise<CallRecord>
  /** Waits until a call has ended, or for this many seconds; then returns its current state. */
  wait(callId: string, options?: WaitOptions & As): Promise<CallRecord>
  /** A page of calls, newest first. */
  list(query?: CallListQuery & As): Promise<Page<CallRecord>>
  /** Cancels a call. Throws `already_settled` when it has ended. */
  cancel(callId: string, as?: As): Promise<CallRecord>
  /**
   * Undoes a completed call, by a new one. Throws `not_undoable` with the reason.
   */
  undo(callId: string, as?: As): Promise<CallResult>
  /**
   * Calls the same tool again. With `from`, a composition runs that step and all that follow, and
   * keeps the results of the others. Throws `conflict` with the reason.
   */
  rerun(callId: string, options?: RerunOptions & As): Promise<CallResult>
}

export interface RerunOptions {
  /** The step to start from. */
  from?: string
  /** Input in place of the old one. */
  input?: JsonValue
}

export interface WaitOptions {
  /** How long to wait; by default until the call has ended. */
  seconds?: number
  signal?: AbortSignal
}

/** Options of an approval or rejection. */
export type DecisionOptions = Omit<DecisionRequest, 'decision'>

/** Pending approvals. */
export interface CribApprovals<As = unknown> {
  get(approval: ApprovalOf, as?: As): Promise<Approval>
  /** A page of approvals, newest first. */
  list(query?: Partial<Omit<ApprovalQuery, 'principal'>> & As): Promise<Page<Approval>>
  /** Approves: the call runs in the background. */
  approve(approval: ApprovalOf, options?: DecisionOptions & As): Promise<Approval>
  /** Rejects: the call ends as denied. */
  reject(approval: ApprovalOf, options?: DecisionOptions & As): Promise<Approval>
}
