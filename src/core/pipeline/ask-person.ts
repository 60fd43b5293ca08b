import type { ApprovalRule, ApprovalStart, ApprovalTerms } from '../approvals/approval.ts'
import { findAskers, isOneOf } from '../approvals/askers.ts'
import { type AskedCall, findRemembered } from '../approvals/remember.ts'
import type { Decision } from '../call.ts'
import { ToolError } from '../errors.ts'
import { createId } from '../ids.ts'
import { toNamed } from '../policy/compiled-scope.ts'
import type { Scope } from '../policy/scope.ts'
import type { RegisteredTool } from '../registry.ts'
import type { CallFacts } from './record/call-facts.ts'
import type { ChainedRequest } from './chained-request.ts'
import type { PipelinePorts } from './ports.ts'
import { redactForRecord } from './context/prepare-call.ts'

/** What becomes of a call that a person has to be asked about. */
export type Asking =
  /** Somebody has said yes to its like before. */
  | { kind: 'allowed'; decision: Decision }
  | { kind: 'waiting'; facts: CallFacts; approval: ApprovalStart }
  | { kind: 'refused'; facts: CallFacts; error: ToolError }

interface AskedFor {
  facts: CallFacts
  entry: RegisteredTool
  scope: Scope
  request: ChainedRequest
}

/** Looks for a yes that still holds; without one the call waits, or is refused where nobody above it can. */
export async function askPerson(asked: AskedFor, ports: PipelinePorts): Promise<Asking> {
  const { request, entry, scope } = asked
  // People see what the record shows: their yes, and their like, are about that.
  const facts = await redactForRecord(asked, ports)
  const { decision, caller, contract, requestedAt } = facts
  const { expiresInMs, ...terms } = ports.approvals.termsFor(toNamed(entry), scope)
  const rule = await findRuleFor({ ...toAskedCall(facts), terms }, requestedAt, ports)
  if (rule !== undefined) return { kind: 'allowed', decision: rememberedBy(rule, decision) }
  if (request.mayWait === false) {
    const because = `${contract.name} needs a person's approval (${decision.reasons.join('; ')})`
    return { kind: 'refused', facts, error: cannotWait(because, request.heldBy) }
  }
  const approval = {
    ...terms,
    id: createId('appr'),
    reasons: decision.reasons,
    expiresAt: requestedAt + expiresInMs,
    isAnnounced: ports.approvals.isAnnounced,
  }
  return { kind: 'waiting', facts: { ...facts, caller }, approval }
}

/** The live rule that covers this call, if any. */
export async function findRuleFor(
  call: AskedCall & { terms: Pick<ApprovalTerms, 'needed' | 'isRequesterBarred'> },
  at: number,
  ports: PipelinePorts,
): Promise<ApprovalRule | undefined> {
  const { tenant, tool, terms } = call
  // One person's yes is not that of several.
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

function toAskedCall({ caller, contract, input, decision }: CallFacts): AskedCall {
  const { tenant, agent, principal, person, onBehalfOf } = caller
  const { name: tool, effect } = contract
  const { reasons } = decision
  return { tenant, agent, principal, person, onBehalfOf, tool, effect, input, reasons }
}

/** Kept with the call: which rule let it through, whose it is, and until when. */
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

/** Why a nested call is refused that would have to wait, and which tool above it is why. */
export function cannotWait(because: string, heldBy: string | undefined): ToolError {
  const above = heldBy ?? 'a tool that called it'
  return new ToolError(
    'cannot_wait',
    `${because}, and ${above} can't wait for that: it may not be run a second time`,
    {
      fix: `Mark ${heldBy ?? 'the calling tool'} idempotent: true if running it again does no harm, or call the tool directly.`,
    },
  )
}
