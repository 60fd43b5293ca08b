import type { Approval } from '../../../../core/approvals/approval.ts'
import type { CallRecord } from '../../../../core/kernel/call.ts'
import { ToolError } from '../../../../core/kernel/errors.ts'
import type { HttpClient } from '../../client/http-client.ts'
import { usageError } from '../../parse-options.ts'

const wholeId = /^appr_[0-9a-f]{32}$/
/** A short id is looked up among the newest pending approvals. */
const newest = 200
/** Fewer digits are ambiguous: an empty variable in a script would match any pending approval. */
const enough = /^(?:appr_)?[0-9a-f]{4,32}$/

/** Finds an approval by its id, the beginning or end of it, or the id of its call. */
export async function findApprovalId(
  client: HttpClient,
  given: string | undefined,
): Promise<string> {
  if (given === undefined)
    throw usageError('Which approval?', 'toolcrib approvals lists their ids.')
  if (wholeId.test(given)) return given
  if (given.startsWith('call_')) return ofCall(client, given)
  const { items } = await client.read<{ items: Approval[] }>('/approvals', {
    query: { status: 'pending', limit: newest },
  })
  const part = given.replace(/^…|…$/g, '')
  const fits = items.filter(({ id }) => id.startsWith(part) || id.endsWith(part))
  const [only] = fits
  if (only !== undefined && !enough.test(part))
    throw usageError(
      `${JSON.stringify(given)} is too short for an id.`,
      'Write at least four digits.',
    )
  if (only !== undefined && fits.length === 1) return only.id
  if (fits.length > 1)
    throw usageError(`${fits.length} approvals match ${given}.`, 'Write more of the id.')
  throw new ToolError('not_found', `No pending approval matches ${given}.`, {
    fix: 'toolcrib approvals lists their ids.',
  })
}

async function ofCall(client: HttpClient, callId: string): Promise<string> {
  const { approvalId } = await client.read<CallRecord>(`/calls/${encodeURIComponent(callId)}`)
  if (approvalId !== undefined) return approvalId
  throw new ToolError('not_found', `${callId} needed no approval.`)
}
