import { isSamePrincipal } from '../kernel/caller.ts'
import type { Principal } from '../kernel/call.ts'
import { toDurationMs } from '../kernel/duration.ts'
import { ToolError } from '../kernel/errors.ts'
import { createId } from '../kernel/ids.ts'
import type { JsonValue } from '../kernel/json.ts'
import type { Effect } from '../kernel/tool.ts'
import type { Approval, ApprovalRule, RememberedInput, RememberRequest } from './approval.ts'
import { isBounded, matchesInput } from './match-input.ts'

/** The longest time that an approval may be remembered. */
export const maxRememberMs = 30 * 86_400_000
/** Compared with every call of its tool that needs approval. */
const maxPatternChars = 16_384

/** A call that would need approval. */
export interface RememberedCall {
  tenant: string
  tool: string
  effect: Effect
  agent: string | undefined
  principal: Principal
  /** For a key: the person who owns it. */
  person?: Principal
  onBehalfOf?: Principal
  /** As recorded, without secrets. */
  input: JsonValue
  reasons: readonly string[]
}

/** The rule that covers this call at that moment, if there is one. */
export function findRemembered(
  rules: readonly ApprovalRule[],
  call: RememberedCall,
  at: number,
): ApprovalRule | undefined {
  return rules.find((rule) => isRemembered(rule, call, at))
}

function isRemembered(rule: ApprovalRule, call: RememberedCall, at: number): boolean {
  if (rule.tenant !== call.tenant || rule.tool !== call.tool) return false
  if (rule.revokedAt !== undefined || !(at < Date.parse(rule.expiresAt))) return false
  if (!isSameCaller(rule, call)) return false
  if (!call.reasons.every((reason) => rule.reasons.includes(reason))) return false
  // The tool may have become destructive since the rule was created.
  if (call.effect === 'destructive' && !isBoundedInput(rule.input)) return false
  return matchesInput(rule.input, call.input)
}

/**
 * An agent's calls belong to the agent, for every principal; without an agent they belong to the
 * principal.
 */
function isSameCaller(
  rule: ApprovalRule,
  { agent, principal, onBehalfOf }: RememberedCall,
): boolean {
  if (agent !== undefined || rule.agent !== undefined) return rule.agent === agent
  // A schedule that someone else has rewritten belongs to them: nobody approved that.
  return isSamePrincipal(rule.principal, principal) && isSamePrincipal(rule.onBehalfOf, onBehalfOf)
}

/** Creates the rule that an approval leaves behind, or throws the reason why it can't. */
export function toApprovalRule(
  request: RememberRequest,
  from: {
    approval: Approval
    effect: Effect
    by: Principal
    person?: Principal
    at: number
    onBehalfOf?: Principal
  },
): ApprovalRule {
  const { approval, effect, by, person, at, onBehalfOf } = from
  const forMs = toDurationMs(request.for)
  if (forMs === undefined || forMs > maxRememberMs) {
    throw unfit('/remember/for', 'must be a time such as 2h or 7d, at most 30d')
  }
  if (approval.needed > 1) {
    throw unfit('/remember', 'is not possible for a call that needs several people')
  }
  const input = toRememberedInput(request.match ?? 'same-input', approval.input)
  if (effect === 'destructive' && !isBoundedInput(input)) {
    const message =
      'must name a value of the input: a destructive tool is not approved by name alone'
    throw unfit('/remember/match', message)
  }
  const { principal, agent } = approval.requestedBy
  return {
    id: createId('rule'),
    tenant: approval.tenant,
    tool: approval.tool,
    ...(agent === undefined ? { principal, ...(onBehalfOf && { onBehalfOf }) } : { agent }),
    reasons: approval.reasons,
    input,
    approvalId: approval.id,
    createdBy: by,
    ...(person !== undefined && { person }),
    createdAt: new Date(at).toISOString(),
    expiresAt: new Date(at + forMs).toISOString(),
  }
}

function toRememberedInput(
  match: NonNullable<RememberRequest['match']>,
  input: JsonValue,
): RememberedInput {
  if (match === 'any-input') return { kind: 'any' }
  const remembered: RememberedInput =
    match === 'same-input' ? { kind: 'same', input } : { kind: 'pattern', pattern: match }
  if (JSON.stringify(match === 'same-input' ? input : match).length > maxPatternChars) {
    throw unfit('/remember/match', `must be shorter than ${maxPatternChars} characters`)
  }
  // A rule that would not have covered this call is a mistake.
  if (matchesInput(remembered, input)) return remembered
  throw unfit('/remember/match', 'does not match the input of this call')
}

function isBoundedInput(input: RememberedInput): boolean {
  if (input.kind === 'any') return false
  // The very same call is bounded, even if its tool takes no input.
  return input.kind === 'same' || isBounded(input.pattern)
}

function unfit(path: string, message: string): ToolError {
  return new ToolError('invalid_request', `${path.slice(1).replaceAll('/', '.')} ${message}`, {
    issues: [{ path, message }],
  })
}
