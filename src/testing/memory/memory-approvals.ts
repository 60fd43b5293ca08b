import type {
  Approval,
  ApprovalDecision,
  ApprovalQuery,
  ApprovalRule,
  DecisionResult,
} from '../../core/approvals/approval.ts'
import { isSettled } from '../../core/pipeline/call-state.ts'
import type { ApprovalStore, DecisionEntry } from '../../core/approvals/approval-store.ts'
import type { MemoryCalls } from './memory-calls.ts'
import { createMemoryNotices } from './memory-notices.ts'
import { withoutUndefined } from './memory-log.ts'

/** What has become of an approval; what it is about stands in its call. */
interface Progress {
  status: Approval['status']
  revision: number
  decidedAt?: string
  decisions: ApprovalDecision[]
}

/** Approvals beside the calls in memory, with the guards of the real ones. */
export function createMemoryApprovals(calls: MemoryCalls): ApprovalStore {
  const progress = new Map<string, Progress>()
  const rules = new Map<string, ApprovalRule>()
  const progressOf = (id: string) => {
    const known = progress.get(id) ?? { status: 'pending' as const, revision: 0, decisions: [] }
    progress.set(id, known)
    return known
  }

  function toApproval(start: ReturnType<MemoryCalls['asked']>[number]): Approval | undefined {
    const call = calls.findStored(start.tenant, start.callId)
    if (call === undefined) return undefined
    const { id, reasons, needed, approvers, isRequesterBarred, expiresAt } = start.approval
    const known = progressOf(id)
    const isOver = known.status === 'pending' && isSettled(call.status)
    return structuredClone(
      withoutUndefined({
        id,
        tenant: call.tenant,
        callId: call.callId,
        tool: call.tool,
        input: call.input,
        reasons,
        requestedBy: withoutUndefined({ principal: call.principal, agent: call.agent }),
        sessionId: call.sessionId,
        createdAt: call.requestedAt,
        expiresAt: new Date(expiresAt).toISOString(),
        needed,
        approvers,
        isRequesterBarred,
        ...known,
        ...(isOver && { status: 'cancelled' as const, decidedAt: call.settledAt }),
      }),
    )
  }
  const all = (tenant: string) =>
    calls.asked().flatMap((start) => (start.tenant === tenant ? (toApproval(start) ?? []) : []))
  const find = (tenant: string, id: string) => all(tenant).find((approval) => approval.id === id)

  function decide(approval: Approval, entry: DecisionEntry): DecisionResult['kind'] {
    const known = progressOf(approval.id)
    const { ruling, edit, by, person, reason, at } = entry
    if (ruling.kind === 'approve' && ruling.rule !== undefined) {
      rules.set(ruling.rule.id, ruling.rule)
    }
    if (edit !== undefined) {
      known.revision += 1
      calls.edit(approval.callId, edit)
    }
    const { revision } = known
    known.decisions.push(
      withoutUndefined({
        by,
        person,
        decision: ruling.kind,
        at: new Date(at).toISOString(),
        isEdited: edit !== undefined,
        revision,
        reason,
      }),
    )
    const missing = Math.max(0, approval.needed - countYes(known, approval))
    if (ruling.kind === 'approve' && missing > 0) {
      void calls.append(approval.tenant, approval.callId, { events: ruling.toEvents(missing) })
      return 'decided'
    }
    known.decidedAt = new Date(at).toISOString()
    known.status = ruling.kind === 'approve' ? 'approved' : 'rejected'
    if (ruling.kind === 'approve') calls.releaseCall(approval.callId, ruling.toEvents(0))
    else void calls.settle({ ...ruling.settlement, from: 'waiting' })
    return 'decided'
  }
  return {
    ...createMemoryNotices(calls),
    find: async (tenant, id) => find(tenant, id),
    async findWithCall(tenant, id) {
      const approval = find(tenant, id)
      const call = approval && calls.findStored(tenant, approval.callId)
      return approval && call && { approval, call }
    },
    async list(tenant, query) {
      const listed = all(tenant)
      const fitting = (query.order === 'oldest' ? listed : listed.toReversed()).filter((approval) =>
        fits(approval, query),
      )
      const items = fitting.slice(0, query.limit)
      return fitting.length > query.limit ? { items, next: items.at(-1)?.id } : { items }
    },
    async decide(tenant, id, entry) {
      const approval = find(tenant, id)
      const refusal = approval === undefined ? notFound : refuse(approval, entry)
      if (approval === undefined || refusal !== undefined) return refusal ?? notFound
      decide(approval, entry)
      const decided = find(tenant, id)
      return decided === undefined ? notFound : { kind: 'decided', approval: decided }
    },
    async expire(settlement) {
      const start = calls.asked().find(({ callId }) => callId === settlement.callId)
      if (start === undefined || !(await calls.settle({ ...settlement, from: 'waiting' }))) {
        return false
      }
      const decidedAt = new Date(settlement.settledAt).toISOString()
      Object.assign(progressOf(start.approval.id), { status: 'expired', decidedAt })
      return true
    },
    listRules: async (tenant, { tool, at }) =>
      [...rules.values()]
        .filter((rule) => rule.tenant === tenant && (tool === undefined || rule.tool === tool))
        .filter((rule) => rule.revokedAt === undefined && Date.parse(rule.expiresAt) > at)
        .toReversed(),
    async revokeRule(tenant, id, at) {
      const rule = rules.get(id)
      if (rule?.tenant !== tenant || rule.revokedAt !== undefined) return undefined
      const revoked = { ...rule, revokedAt: new Date(at).toISOString() }
      rules.set(id, revoked)
      return revoked
    },
  }
}

const notFound: DecisionResult = { kind: 'not_found' }

function refuse(approval: Approval, entry: DecisionEntry): DecisionResult | undefined {
  const { status, revision, expiresAt, decisions } = approval
  if (status !== 'pending') return { kind: 'closed', status }
  if (Date.parse(expiresAt) <= entry.at) return { kind: 'closed', status: 'expired' }
  if (revision !== entry.revision) return { kind: 'edited' }
  const { person = entry.by } = entry
  const isRepeated = decisions.some(
    (made) => made.revision === revision && nameOf(made) === nameOf({ by: person }),
  )
  const isYes = entry.ruling.kind === 'approve' && entry.edit === undefined
  return isYes && isRepeated ? { kind: 'repeated' } : undefined
}

function countYes({ decisions, revision }: Progress, { isRequesterBarred }: Approval): number {
  const people = decisions
    .filter((made) => made.decision === 'approve' && made.revision === revision)
    .filter(({ isEdited }) => !(isEdited && isRequesterBarred))
    .map(nameOf)
  return new Set(people).size
}

function nameOf({ by, person = by }: Pick<ApprovalDecision, 'by' | 'person'>): string {
  return `${person.kind}:${person.id}`
}

function fits(approval: Approval, query: ApprovalQuery): boolean {
  const { status, tool, principal, agent, after, order } = query
  if (agent !== undefined && approval.requestedBy.agent !== agent) return false
  const isOldest = order === 'oldest'
  if (after !== undefined && (isOldest ? approval.id <= after : approval.id >= after)) return false
  const by = approval.requestedBy.principal
  if (principal !== undefined && (by.kind !== principal.kind || by.id !== principal.id))
    return false
  if (tool !== undefined && approval.tool !== tool) return false
  return status === undefined || approval.status === status
}
