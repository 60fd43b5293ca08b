import type { Approval } from '../../../core/approvals/approval.ts'
import { isOneOf } from '../../../core/approvals/askers.ts'
import { assertMayDecide } from '../../../core/approvals/may-decide.ts'
import type { Caller, CallResult } from '../../../core/kernel/call.ts'
import type { ClientRequest } from '../../../core/kernel/context/caller-client.ts'
import { isToolError } from '../../../core/kernel/errors.ts'
import { askOperation } from '../../../features/ask-operation.ts'
import type { McpRequest } from '../mcp-shared.ts'
import { toApprovalKey, toApprovalQuestion, toDecision } from './approval-question.ts'

type Waiting = Pick<CallResult, 'approvalId' | 'waitingFor'>

/** The question for a client about a call that waits for a person. */
export interface DecisionQuestion {
  key: string
  question: ClientRequest
}

/** Undefined where the client can't answer, or may not. */
export async function findQuestion(
  call: Waiting,
  request: McpRequest,
): Promise<DecisionQuestion | undefined> {
  const approval = await findApproval(call, request)
  if (approval === undefined || !mayDecide(approval, request)) return undefined
  return { key: toApprovalKey(approval), question: toApprovalQuestion(approval) }
}

/**
 * Applies the client's answer as a decision, if it answers the current question. False if it
 * contains no decision, or nothing waits for one.
 */
export async function decide(
  call: Waiting,
  request: McpRequest,
  answers: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const approval = await findApproval(call, request)
  if (approval === undefined) return false
  const decision = toDecision(answers[toApprovalKey(approval)])
  if (decision === undefined) return false
  const { shared, requestContext } = request
  const { id, revision } = approval
  try {
    const from = { api: shared.api, caller: requestContext.caller }
    await askOperation(from, 'decideApproval', { id, ...decision, revision })
    return true
  } catch (error) {
    // Somebody was quicker, or it is the same word once more: the call goes its way.
    if (isToolError(error) && error.code === 'already_decided') return false
    throw error
  }
}

async function findApproval(
  { approvalId, waitingFor }: Waiting,
  { shared, requestContext }: McpRequest,
): Promise<Approval | undefined> {
  if (approvalId === undefined || waitingFor !== 'approval') return undefined
  const from = { api: shared.api, caller: requestContext.caller }
  const approval = await askOperation(from, 'findApproval', { id: approvalId })
  return approval.status === 'pending' ? approval : undefined
}

/** Nobody is asked who would be refused. */
function mayDecide(approval: Approval, { requestContext, abilities }: McpRequest): boolean {
  if (!abilities.has('elicitation.form') || hasSaidYes(approval, requestContext.caller))
    return false
  try {
    assertMayDecide(approval, {
      caller: requestContext.caller,
      request: { decision: 'approve' },
      askers: [approval.requestedBy.principal],
    })
    return true
  } catch {
    return false
  }
}

/** Where several have to, each is asked once. */
function hasSaidYes(
  { decisions, revision }: Approval,
  { principal, person = principal }: Caller,
): boolean {
  const people = decisions
    .filter((made) => made.decision === 'approve' && made.revision === revision)
    .map((made) => made.person ?? made.by)
  return isOneOf(people, person)
}
