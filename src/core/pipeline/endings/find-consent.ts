import type { ApprovalRule, ApprovalStart, ApprovalTerms } from '../../approvals/approval.ts'
import { findAskers, isOneOf } from '../../approvals/askers.ts'
import { type RememberedCall, findRemembered } from '../../approvals/remember.ts'
import type { Decision } from '../../kernel/call.ts'
import { createId } from '../../kernel/ids.ts'
import { toNamed } from '../../policy/compiled-scope.ts'
import type { Admission } from '../admit.ts'
import { redactForRecord } from '../context/prepare-call.ts'
import type { PipelinePorts } from '../ports.ts'
import type { CallFacts } from '../record/call-facts.ts'
import { termsInTrial } from '../trial.ts'

/** Whether someone has approved calls like this one before. */
export type Consent =
  | { kind: 'remembered'; decision: Decision }
  /** With the approval to open, and the facts as people will see them. */
  | { kind: 'missing'; facts: CallFacts; approval: ApprovalStart }

/** Looks for a remembered approval that covers this call. */
export async function findConsent(admission: Admission, ports: PipelinePorts): Promise<Consent> {
  // People decide on what the record shows, so rules must match that, too.
  const facts = await redactForRecord(admission, ports)
  const { decision, requestedAt } = facts
  const usual = ports.approvals.termsFor(toNamed(admission.entry), admission.scope)
  const { expiresInMs, ...terms } = termsInTrial(usual, facts)
  const asked = { ...toAskedCall(facts), terms }
  const mayRemember =
    admission.entry.tool.asksEachTime === undefined && admission.request.isTrial !== true
  const rule = mayRemember ? await findRuleFor(asked, requestedAt, ports) : undefined
  if (rule !== undefined) return { kind: 'remembered', decision: rememberedBy(rule, decision) }
  const approval = {
    ...terms,
    id: createId('appr'),
    reasons: decision.reasons,
    expiresAt: requestedAt + expiresInMs,
    isAnnounced: ports.approvals.isAnnounced,
  }
  return { kind: 'missing', facts, approval }
}

/** The active rule that covers this call, if any. */
export async function findRuleFor(
  call: RememberedCall & { terms: Pick<ApprovalTerms, 'needed' | 'isRequesterBarred'> },
  at: number,
  ports: PipelinePorts,
): Promise<ApprovalRule | undefined> {
  const { tenant, tool, terms } = call
  // A rule is one person's approval. It can't stand for several.
  if (terms.needed > 1) return undefined
  const rules = await ports.approvals.listRules(tenant, { tool, at })
  if (rules.length === 0 || !terms.isRequesterBarred) return findRemembered(rules, call, at)
  const askers = await findAskers(call, ports)
  return findRemembered(
    rules.filter((rule) => !isOneOf(askers, rule.person ?? rule.createdBy)),
    call,
    at,
  )
}

function toAskedCall({ caller, contract, input, decision }: CallFacts): RememberedCall {
  const { tenant, agent, principal, person, onBehalfOf } = caller
  const { name: tool, effect } = contract
  const { reasons } = decision
  return { tenant, agent, principal, person, onBehalfOf, tool, effect, input, reasons }
}

/**
 * The decision stored with the call: which rule allowed it, who created the rule, and when it
 * expires.
 */
function rememberedBy(rule: ApprovalRule, { logged }: Decision): Decision {
  const { id, createdBy, expiresAt } = rule
  const decision: Decision = {
    verdict: 'allow',
    layer: 'remembered',
    rule: `${id}: approved by ${createdBy.kind}:${createdBy.id} until ${expiresAt}`,
    reasons: [],
  }
  return logged === undefined ? decision : { ...decision, logged }
}
