import { approvalIdOf } from '../core/approvals/approval-id.ts'
import type { Approval, DecisionRequest } from '../core/approvals/approval.ts'
import type { Caller } from '../core/kernel/call.ts'
import type { CribApi } from '../features/crib-api.ts'
import type { ApprovalOf } from '../core/approvals/approval-id.ts'
import {
  type CribApprovals,
  type CribCalls,
  type DecisionOptions,
  toCallFields,
} from '../core/crib-functions.ts'
import type { CallAs, PersonAs } from './crib.ts'

const pageSize = 50
/** Longer than any timer: no call is waited for that long. */
const forever = 1e9

/** The record of calls, as the library has it. */
export function createCribCalls(api: CribApi, callerAs: (as: CallAs) => Caller): CribCalls<CallAs> {
  return {
    get: async (callId, as = {}) => api.findCall(callerAs(as), { id: callId }),
    wait: async (callId, { seconds = Number.POSITIVE_INFINITY, signal, ...as } = {}) =>
      api.findCall(callerAs(as), { id: callId, wait: Math.min(seconds, forever) }, { signal }),
    async list({ tenant, runtime, permissions, ...query } = {}) {
      // An agent and a session say which calls are meant, not who looks.
      const caller = callerAs({ tenant, runtime, permissions })
      return api.listCalls(caller, { limit: pageSize, ...toCallFields(query) })
    },
    cancel: async (callId, as = {}) => api.cancelCall(callerAs(as), { id: callId }),
    undo: async (callId, as = {}) => api.undoCall(callerAs(as), { id: callId }),
    rerun: async (callId, { from, input, ...as } = {}) =>
      api.rerunCall(callerAs(as), { id: callId, from, input }),
  }
}

/** Approvals, as the library has them. */
export function createCribApprovals(
  api: CribApi,
  personAs: (as: PersonAs) => Caller,
): CribApprovals<PersonAs> {
  const decide =
    (decision: DecisionRequest['decision']) =>
    async (approval: ApprovalOf, given: DecisionOptions & PersonAs = {}): Promise<Approval> => {
      const { input, reason, revision, remember, ...as } = given
      const request = { decision, input, reason, revision, remember }
      return api.decideApproval(personAs(as), { id: approvalIdOf(approval), ...request })
    }
  return {
    get: async (approval, as = {}) =>
      api.findApproval(personAs(as), { id: approvalIdOf(approval) }),
    async list({ status, tool, after, limit = pageSize, ...as } = {}) {
      return api.listApprovals(personAs(as), { status, tool, after, limit })
    },
    approve: decide('approve'),
    reject: decide('reject'),
  }
}
