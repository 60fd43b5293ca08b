import type { ApprovalOf } from './approvals/approval-id.ts'
import type { Approval, ApprovalQuery, DecisionRequest } from './approvals/approval.ts'
import type { CallRecord } from './kernel/call.ts'
import type { CallQuery } from './call-log.ts'
import type { Page } from './kernel/page.ts'

/** Which calls to list; newest first, 50 unless said. */
export type CallListQuery = Partial<Omit<CallQuery, 'formerNames' | 'isBrief'>>

/** The fields of the API that a query of calls stands for. */
export function toCallFields({ parentId, underId, fromMs, toMs, ...query }: CallListQuery) {
  const named = { parent: parentId, under: underId, from: toTime(fromMs), to: toTime(toMs) }
  return { ...query, ...named }
}

function toTime(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString()
}

/** The record of calls. `As` is how the caller is named, where that can be said. */
export interface CribCalls<As = unknown> {
  /** One call as it stands. Throws `not_found`. */
  get(callId: string, as?: As): Promise<CallRecord>
  /** Waits until a call has ended, or for so many seconds; then the call as it stands. */
  wait(callId: string, options?: WaitOptions & As): Promise<CallRecord>
  /** A page of calls, newest first. */
  list(query?: CallListQuery & As): Promise<Page<CallRecord>>
  /** Ends a call. Throws `already_settled` when it is too late. */
  cancel(callId: string, as?: As): Promise<CallRecord>
}

export interface WaitOptions {
  /** How long to wait; until the call has ended unless given. */
  seconds?: number
  signal?: AbortSignal
}

/** What may be said along with a yes or no. */
export type DecisionOptions = Omit<DecisionRequest, 'decision'>

/** Decisions that calls wait for. */
export interface CribApprovals<As = unknown> {
  get(approval: ApprovalOf, as?: As): Promise<Approval>
  /** A page of approvals, newest first. */
  list(query?: Partial<Omit<ApprovalQuery, 'principal'>> & As): Promise<Page<Approval>>
  /** Says yes: the call runs, in the background. */
  approve(approval: ApprovalOf, options?: DecisionOptions & As): Promise<Approval>
  /** Says no: the call ends as denied. */
  reject(approval: ApprovalOf, options?: DecisionOptions & As): Promise<Approval>
}
