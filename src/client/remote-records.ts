import { approvalIdOf } from '../core/approvals/approval-id.ts'
import type { Approval, DecisionRequest } from '../core/approvals/approval.ts'
import type { CallRecord } from '../core/kernel/call.ts'
import type { ApprovalOf } from '../core/approvals/approval-id.ts'
import {
  type CribApprovals,
  type CribCalls,
  type DecisionOptions,
  toCallFields,
} from '../core/crib-functions.ts'
import type { Page } from '../core/kernel/page.ts'
import type { CribClient } from './crib-client.ts'
import { findCall } from './remote-port.ts'

/** The record of calls of a crib elsewhere. */
export function createRemoteCalls(client: CribClient): CribCalls {
  return {
    get: (callId) => findCall(client, callId),
    wait: (callId, { seconds = Number.POSITIVE_INFINITY, signal } = {}) =>
      findCall(client, callId, { waitMs: seconds * 1000, signal }),
    async list(query = {}) {
      return client.read<Page<CallRecord>>('/calls', {
        query: toCallFields(query),
        isRepeatable: true,
      })
    },
    cancel: (callId) =>
      client.read(`/calls/${encodeURIComponent(callId)}/cancel`, { method: 'POST' }),
    undo: (callId) => client.read(`/calls/${encodeURIComponent(callId)}/undo`, { method: 'POST' }),
    rerun: (callId, { from, input } = {}) =>
      client.read(`/calls/${encodeURIComponent(callId)}/rerun`, {
        method: 'POST',
        body: { from, input },
      }),
  }
}

/** Approvals of a crib elsewhere, decided by whose key it is. */
export function createRemoteApprovals(client: CribClient): CribApprovals {
  const pathOf = (approval: ApprovalOf) =>
    `/approvals/${encodeURIComponent(approvalIdOf(approval))}`
  const decide =
    (decision: DecisionRequest['decision']) =>
    async (approval: ApprovalOf, given: DecisionOptions = {}): Promise<Approval> => {
      const { input, reason, revision, remember } = given
      const body = { decision, input, reason, revision, remember }
      return client.read<Approval>(`${pathOf(approval)}/decision`, { method: 'POST', body })
    }
  return {
    get: async (approval) => client.read<Approval>(pathOf(approval), { isRepeatable: true }),
    list: ({ status, tool, after, limit } = {}) =>
      client.read<Page<Approval>>('/approvals', {
        query: { status, tool, after, limit },
        isRepeatable: true,
      }),
    approve: decide('approve'),
    reject: decide('reject'),
  }
}
