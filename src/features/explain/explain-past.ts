import type { Caller, CallRecord } from '../../core/kernel/call.ts'
import { isToolError } from '../../core/kernel/errors.ts'
import type { CribEvent } from '../../core/events/event.ts'
import { refusalIdPattern } from '../../core/explain/refusals.ts'
import { flowKey } from '../../core/flow/session-flags.ts'
import { explainOne } from '../../core/explain/explain.ts'
import type { Explanation } from '../../core/policy/scope.ts'
import { withoutCalls } from '../../core/policy/without-calls.ts'
import type { Runtime } from '../../core/kernel/runtime.ts'
import { defaultTenant } from '../../core/rules/tenant.ts'
import { isInReach } from '../../core/operations/agent-reach.ts'
import type { ExplainParts } from './parts.ts'
import type { PastDecision } from './schemas.ts'
import { whyNoCalls } from './why-no-calls.ts'

type PastParts = Pick<
  ExplainParts,
  'registry' | 'scopeFor' | 'store' | 'findPrincipal' | 'workspaceAccess'
>

type Past = Omit<PastDecision, 'now' | 'difference'> & {
  skill?: string
  /** The caller's permissions at the time, if known. */
  permissions?: readonly string[]
}

/**
 * The decision made under this id, and the decision today; undefined when the tenant has no such
 * id.
 */
export async function explainPast(
  caller: Caller,
  id: string,
  options: PastParts,
): Promise<PastDecision | undefined> {
  const past = await findPast(caller.tenant, id, options)
  if (past === undefined || !isInReach(caller, past)) return undefined
  const now = await decideNow(caller.tenant, past, options)
  const { permissions: _permissions, skill: _skill, ...told } = past
  const explanation = typeof now === 'string' ? undefined : now
  const difference = typeof now === 'string' ? now : compare(past, now)
  return { ...told, ...(explanation && { now: explanation }), difference }
}

async function findPast(
  tenant: string,
  id: string,
  { store }: PastParts,
): Promise<Past | undefined> {
  if (refusalIdPattern.test(id)) {
    const [event] = await store.events.find(tenant, id.slice('ref_'.length))
    return event?.type === 'call.refused' ? fromRefusal(id, event) : undefined
  }
  if (!/^call_[0-9a-f]{32}$/.test(id)) return undefined
  const call = await store.calls.find(tenant, id)
  return call && fromCall(call)
}

function fromRefusal(id: string, event: CribEvent): Past {
  const facts = event.data as {
    tool: string
    runtime: Runtime
    permissions: string[]
    layer: string
    rule: string
    parents?: string[]
    skill?: string
  }
  const { tool, runtime, permissions, layer, rule, parents, skill } = facts
  const { at, principal, agent, sessionId } = event
  const who = { principal, ...(agent && { agent }), ...(parents && { parents }) }
  const where = {
    runtime,
    ...(sessionId !== undefined && { sessionId }),
    ...(skill !== undefined && { skill }),
  }
  const decided = { verdict: 'deny', layer, rule, reasons: [rule] } as const
  return { id, kind: 'refusal', at, tool, ...who, ...where, decided, permissions }
}

function fromCall(call: CallRecord): Past {
  const { callId, tool, principal, agent, runtime, sessionId, skill, decision, status, error } =
    call
  const who = { principal, ...(agent && { agent }) }
  const where = {
    runtime,
    ...(sessionId !== undefined && { sessionId }),
    ...(skill !== undefined && { skill }),
  }
  const { logged: _logged, ...decided } = decision ?? unknownDecision
  const outcome = { status, ...(error && { error }) }
  return {
    id: callId,
    kind: 'call',
    at: call.requestedAt,
    tool,
    ...who,
    ...where,
    decided,
    outcome,
  }
}

const unknownDecision = {
  verdict: 'allow',
  layer: 'unknown',
  rule: 'the deciding rule was not recorded',
  reasons: [],
  logged: undefined,
} as const

/** For the same caller with its current rights; a sentence if nothing can be decided any more. */
async function decideNow(
  tenant: string,
  past: Past,
  options: PastParts,
): Promise<Explanation | string> {
  const { registry, scopeFor, store, workspaceAccess } = options
  const { principal, runtime, agent, parents, sessionId, skill } = past
  const entry = registry.find(past.tool, tenant)
  const isStill = past.decided.layer === 'registry' ? 'still ' : ''
  const nothing = `Now ${isStill}no tool is registered as ${past.tool}.`
  if (entry === undefined) return nothing
  try {
    const { permissions, noCalls } = await permissionsNow(tenant, past, options)
    const as = { tenant, principal, permissions, runtime, agent, parents, sessionId, skill }
    const scope = await scopeFor(as)
    const flags =
      sessionId === undefined ? [] : await store.sessionFlags.read(tenant, flowKey({ sessionId }))
    const { modeFor, mayAsk } = workspaceAccess
    const explanation = explainOne(entry, scope, { flags, mayAsk, mode: await modeFor(as) })
    if (isOfOthers(explanation, tenant)) return nothing
    return noCalls === undefined ? explanation : withoutCalls(explanation, noCalls)
  } catch (error) {
    if (!isToolError(error) || error.code !== 'not_found') throw error
    return `Now nothing would be decided: ${error.message}.`
  }
}

/** A tool that other tenants have to themselves does not exist here. */
function isOfOthers({ layers }: Explanation, tenant: string): boolean {
  if (tenant === defaultTenant) return false
  return layers.some(({ layer, passes }) => layer === 'tenant' && !passes)
}

/** The current permissions of a key or member; for others those of the time, or all if unknown. */
async function permissionsNow(
  tenant: string,
  { principal, permissions }: Past,
  { findPrincipal }: PastParts,
): Promise<{ permissions: readonly string[]; noCalls?: string }> {
  const kinds: Partial<Record<typeof principal.kind, string>> = { key: 'key', user: 'member' }
  const kind = kinds[principal.kind]
  const held = { permissions: permissions ?? ['*'] }
  if (kind === undefined) return held
  return findPrincipal(tenant, `${kind}:${principal.id}`).then(
    (found) => ({ permissions: found.permissions, ...whyNoCalls(found, found.isOver) }),
    (error: unknown) => {
      if (isToolError(error) && error.code === 'not_found') return held
      throw error
    },
  )
}

function compare({ decided }: Past, now: Explanation): string {
  const layer = now.layers.find(({ passes }) => !passes)?.layer
  const because = now.reasons[0]
  if (now.verdict === 'deny') {
    if (decided.verdict !== 'deny') return `Now it is hidden by ${layer}: ${because}.`
    const isSame = decided.layer === layer && decided.rule === because
    return isSame
      ? `Nothing has changed: ${layer} still hides it.`
      : `Now ${layer} hides it: ${because}.`
  }
  if (now.verdict === 'ask') {
    const isSame = decided.verdict === 'ask' && decided.reasons.join() === now.reasons.join()
    return isSame
      ? 'Nothing has changed: a person is still asked first.'
      : `Now a person would be asked first: ${now.reasons.join('; ')}.`
  }
  return decided.verdict === 'allow' ? 'Nothing has changed: it is allowed.' : 'Now it is allowed.'
}
