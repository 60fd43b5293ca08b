import type { CallRecord } from '../../../../core/kernel/call.ts'
import { ToolError } from '../../../../core/kernel/errors.ts'
import type { HttpClient } from '../../client/http-client.ts'
import { findPendingId } from './find-pending-id.ts'

const approval = { one: 'approval', prefix: 'appr', path: '/approvals', command: 'approvals' }

/** Finds an approval by its id, the beginning or end of it, or the id of its call. */
export async function findApprovalId(
  client: HttpClient,
  given: string | undefined,
): Promise<string> {
  if (given?.startsWith('call_') === true) return ofCall(client, given)
  return findPendingId(client, given, approval)
}

async function ofCall(client: HttpClient, callId: string): Promise<string> {
  const { approvalId } = await client.read<CallRecord>(`/calls/${encodeURIComponent(callId)}`)
  if (approvalId !== undefined) return approvalId
  throw new ToolError('not_found', `${callId} needed no approval.`)
}
