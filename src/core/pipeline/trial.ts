import type { ApprovalTerms } from '../approvals/approval.ts'
import type { Caller, Decision } from '../kernel/call.ts'
import { ToolError } from '../kernel/errors.ts'
import { compilePermissions } from '../policy/permissions.ts'
import type { PermissionName } from '../policy/roles.ts'
import type { RegisteredTool } from '../registry.ts'
import { draftHashOf } from '../tool-version.ts'
import type { ChainedRequest } from './chained-request.ts'

const layer = 'trial'

/** Nobody has published it, so it ends with the tester's right to write tools. */
export function assertMayTry({
  candidate,
  caller,
  isTrial,
}: Pick<ChainedRequest, 'candidate' | 'caller' | 'isTrial'>): void {
  if (isTrial !== true || candidate === undefined) return
  if (draftHashOf(candidate.version) === undefined || holds(caller, 'tools.author')) return
  const { name } = candidate.contract
  throw new ToolError('denied', `${name} is a draft, and its tester may no longer write tools`, {
    fix: 'Ask somebody who holds tools.author to try it.',
  })
}

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
  if (decision.layer !== layer || !holds(caller, 'approvals.decide')) return terms
  const { principal, person = principal } = caller
  const testers = new Set([principal, person].map(({ kind, id }) => `${kind}:${id}`))
  const { expiresInMs } = terms
  return { expiresInMs, needed: 1, isRequesterBarred: false, approvers: [...testers] }
}

function holds({ permissions }: Caller, permission: PermissionName): boolean {
  return compilePermissions(permissions).has(permission)
}
