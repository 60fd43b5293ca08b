import type { Approval } from '../../../core/approvals/approval.ts'
import { assertMayDecide } from '../../../core/approvals/may-decide.ts'
import type { CallResult } from '../../../core/call.ts'
import type { ClientRequest } from '../../../core/client/caller-client.ts'
import type { McpRequest } from '../mcp-desk.ts'
import { toApprovalQuestion, toDecision } from './approval-question.ts'

type Waiting = Pick<CallResult, 'approvalId' | 'waitingFor'>

/** What a client is asked about a call that waits for a person; undefined where it can't answer, or may not. */
export async function findQuestion(
  call: Waiting,
  request: McpRequest,
): Promise<ClientRequest | undefined> {
  const approval = await findApproval(call, request)
  return approval && mayDecide(approval, request) ? toApprovalQuestion(approval) : undefined
}

/** Decides by what the client has answered. False where that is no decision, or nothing waits for one. */
export async function decide(
  call: Waiting,
  request: McpRequest,
  answer: unknown,
): Promise<boolean> {
  const decision = toDecision(answer)
  if (decision === undefined) return false
  const approval = await findApproval(call, request)
  if (approval === undefined) return false
  const { desk, visit } = request
  const { id, revision } = approval
  await desk.api.decideApproval(visit.caller, id, { ...decision, revision })
  return true
}

async function findApproval(
  { approvalId, waitingFor }: Waiting,
  { desk, visit }: McpRequest,
): Promise<Approval | undefined> {
  if (approvalId === undefined || waitingFor !== 'approval') return undefined
  const approval = await desk.api.findApproval(visit.caller, approvalId)
  return approval.status === 'pending' ? approval : undefined
}

/** Nobody is asked who would be refused. */
function mayDecide(approval: Approval, { visit, abilities }: McpRequest): boolean {
  if (!abilities.has('elicitation.form')) return false
  try {
    assertMayDecide(approval, visit.caller, undefined)
    return true
  } catch {
    return false
  }
}
