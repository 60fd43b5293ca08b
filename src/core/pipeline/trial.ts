import type { ApprovalTerms } from '../approvals/approval.ts'
import type { Caller, Decision } from '../kernel/call.ts'
import { compilePermissions } from '../policy/permissions.ts'
import type { RegisteredTool } from '../registry.ts'
import type { ChainedRequest } from './chained-request.ts'

const layer = 'trial'

/**
 * A draft that is tried for real asks the tester before each effect: its own, or those of the calls it
 * makes. Calls that need an approval by policy keep it.
 */
export function askInTrial(
  { tool, contract }: Pick<RegisteredTool, 'tool' | 'contract'>,
  decision: Decision,
  { isTrial, depth = 0 }: Pick<ChainedRequest, 'isTrial' | 'depth'>,
): Decision {
  if (isTrial !== true) return decision
  // The effects of a draft that resumes are those of the calls it makes.
  if (depth === 0 && tool.isResumable) return decision
  if (contract.effect === 'read' || decision.verdict !== 'allow') return decision
  const rule = 'a draft that is tried for real asks before each effect'
  return { ...decision, verdict: 'ask', layer, rule, reasons: [rule] }
}

/**
 * The terms of such an approval: the tester decides, with a key or signed in, and nobody else, if they may
 * decide at all.
 */
export function termsInTrial(
  terms: ApprovalTerms,
  { decision, caller }: { decision: Decision; caller: Caller },
): ApprovalTerms {
  if (decision.layer !== layer || !mayDecide(caller)) return terms
  const { principal, person = principal } = caller
  const testers = new Set([principal, person].map(({ kind, id }) => `${kind}:${id}`))
  const { expiresInMs } = terms
  return { expiresInMs, needed: 1, isRequesterBarred: false, approvers: [...testers] }
}

function mayDecide({ permissions }: Caller): boolean {
  return compilePermissions(permissions).has('approvals.decide')
}
