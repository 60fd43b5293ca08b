import type { Caller } from '../../kernel/call.ts'
import { isToolError, ToolError } from '../../kernel/errors.ts'
import type { EventPayloads, NewEvent } from '../../events/event.ts'
import { toCallError } from '../record/call-error.ts'
import { inlined, toSettlement } from '../record/call-facts.ts'
import type { PipelinePorts } from '../ports.ts'
import { readOptions } from '../context/prepare-call.ts'
import { type AdmissionRules, toLateRefusal } from '../admission-rules.ts'
import { admit, type Admission } from '../admit.ts'
import { findBegun } from '../find-begun.ts'
import { callerOf, toRequest } from '../stored-request.ts'
import { toWorkOrder } from '../record/work-order.ts'
import type { DecisionEntry } from '../../approval-store.ts'
import type { Settlement, StoredCall } from '../../call-log.ts'
import { createRedactor } from '../../secrets/redact.ts'
import { readSensitive } from '../../secrets/sensitive-of-call.ts'
import type { Approval, ApprovalRule, DecisionRequest } from '../../approvals/approval.ts'
import {
  approvalNotFound,
  closed,
  edited,
  editRemembered,
  neverRemembered,
  nowDenied,
  previewChanged,
  toolGone,
  toRefusal,
  unfit,
} from '../../approvals/approval-errors.ts'
import { findAskers } from '../../approvals/askers.ts'
import { previewForApproval } from './preview-for-approval.ts'
import { requirePreview } from './require-preview.ts'
import { toEdit } from './to-edit.ts'
import { restoreRedacted } from '../../approvals/restore-redacted.ts'
import { assertMayDecide } from '../../approvals/may-decide.ts'
import { toApprovalRule } from '../../approvals/remember.ts'

/** A decision in progress. */
interface Deciding {
  caller: Caller
  request: DecisionRequest
  approval: Approval
  call: StoredCall
  at: number
}

/**
 * Records one person's decision on an approval. The call is checked again first; an invalid
 * decision leaves the approval unchanged.
 */
export async function decideApproval(
  deciding: Pick<Deciding, 'caller' | 'request'> & { id: string },
  ports: PipelinePorts,
): Promise<Approval> {
  const { caller, id } = deciding
  const found = await ports.approvals.findWithCall(caller.tenant, id)
  if (found === undefined) throw approvalNotFound(id)
  const { approval, call } = found
  if (approval.status !== 'pending') throw closed(approval.status)
  const askers = approval.isRequesterBarred ? await findAskers(call, ports) : []
  assertMayDecide(approval, { caller, request: deciding.request, askers })
  const request = await withoutSecrets(deciding.request, call, ports)
  if (request.revision !== undefined && request.revision !== approval.revision) {
    throw approval.preview?.previous === undefined ? edited() : previewChanged(approval.tool)
  }
  const toEntry = request.decision === 'approve' ? toApproveEntry : toRejectEntry
  const entry = await toEntry({ caller, request, approval, call, at: ports.now() }, ports)
  const result = await ports.approvals.decide(caller.tenant, id, entry)
  if (result.kind !== 'decided') throw toRefusal(result, id)
  if (entry.ruling.kind === 'reject') tellSettled(call, entry.ruling.settlement, ports)
  ports.work.wake()
  return result.approval
}

/** The reason is recorded, and read by a model. */
async function withoutSecrets(
  request: DecisionRequest,
  call: StoredCall,
  ports: PipelinePorts,
): Promise<DecisionRequest> {
  if (request.reason === undefined) return request
  const redactor = createRedactor(await readSensitive(call, ports))
  return { ...request, reason: redactor.redactText(request.reason) }
}

async function toApproveEntry(deciding: Deciding, ports: PipelinePorts): Promise<DecisionEntry> {
  const { caller, request, approval, call, at } = deciding
  const admission = await admitDecided(deciding, ports)
  const { entry } = admission
  const { input: edited } = request
  const edit = edited === undefined ? undefined : await toEdit(admission, { call, edited }, ports)
  // The edited call does something else; that is what has to be the same when it runs.
  if (edit !== undefined) {
    edit.preview = await previewForApproval(admission, ports)
    requirePreview(entry.tool, edit.preview)
  }
  const by = caller.principal
  const shown = edit === undefined ? approval : { ...approval, input: edit.input }
  const { effect } = entry.contract
  const { onBehalfOf } = call
  const { person } = caller
  if (request.remember && edit !== undefined && approval.isRequesterBarred) throw editRemembered()
  if (request.remember && entry.tool.asksEachTime !== undefined)
    throw neverRemembered(approval.tool)
  const from = { approval: shown, effect, by, person, at, onBehalfOf }
  const rule = request.remember && toApprovalRule(request.remember, from)
  const work = call.work ?? toWorkOrder(entry.contract, {})
  await ports.work.prepare(work.queue)
  return {
    by,
    person,
    at,
    revision: approval.revision,
    reason: request.reason,
    edit,
    ruling: {
      kind: 'approve',
      work,
      rule,
      toEvents: (missing) => toYesEvents(deciding, { missing, edit, rule }),
    },
  }
}

/**
 * Admits the call again with its caller's current rights and the input it will run with. Everything
 * that would end it before it starts is checked, so that no approval is spent on a call that can't
 * run.
 */
async function admitDecided(
  { request: { input: edited }, approval, call }: Deciding,
  ports: PipelinePorts,
): Promise<Admission> {
  await ports.readyTools(call.tenant)
  const caller = await findCaller(call, ports)
  const raw = call.rawInput ?? call.input
  const input = edited === undefined ? undefined : restoreRedacted(edited, approval.input, raw)
  const candidate = await findBegun(call, ports)
  const asked = await toRequest(call, { caller, input }, ports)
  const request = { ...asked, ...(candidate && { candidate }) }
  const admission = await admit(request, decidedCall(edited !== undefined), ports)
  readOptions(admission)
  return admission
}

/**
 * An approval is not a new request: only the rules that could end the call before it starts apply.
 */
function decidedCall(isEdited: boolean): AdmissionRules {
  return {
    countsRefusals: false,
    refusesImpossible: true,
    refusesMarks: isEdited,
    appliesSession: false,
    toRefusal: (unusable) =>
      unusable.found === undefined
        ? toolGone(unusable.request.tool)
        : toLateRefusal(unusable, nowDenied),
    toMisfit: ({ name }, issues) => unfit(name, { issues, isEdited }),
  }
}

/** The caller with their current rights; a removed agent has none. */
async function findCaller(call: StoredCall, ports: PipelinePorts): Promise<Caller> {
  try {
    const caller = await ports.callerNow(callerOf(call))
    await ports.scopeFor(caller)
    return caller
  } catch (error) {
    if (!isToolError(error)) throw error
    throw nowDenied(call.tool, error.message)
  }
}

function toYesEvents(
  { caller, request, approval, at }: Deciding,
  more: { missing: number; edit: DecisionEntry['edit']; rule: ApprovalRule | undefined },
): NewEvent[] {
  const { missing, edit, rule } = more
  const by = toText(caller)
  const data: EventPayloads['approval.granted'] = { approvalId: approval.id, by, missing }
  if (request.reason !== undefined) data.reason = request.reason
  if (edit !== undefined) Object.assign(data, { isEdited: true }, inlined('input', edit.input))
  const events: NewEvent[] = [{ type: 'approval.granted', at, data }]
  if (rule !== undefined) {
    const { id, expiresAt, input } = rule
    const remembered = { ruleId: id, approvalId: approval.id, by, expiresAt, match: input.kind }
    events.push({ type: 'approval.remembered', at, data: remembered })
  }
  if (missing === 0) events.push({ type: 'call.queued', at, data: { reason: 'Approved' } })
  return events
}

async function toRejectEntry(deciding: Deciding): Promise<DecisionEntry> {
  const { caller, request, approval, call, at } = deciding
  if (request.input !== undefined || request.remember !== undefined) {
    throw new ToolError('invalid_request', 'Only an approval takes an input or is remembered')
  }
  const because = request.reason === undefined ? ', without a reason' : `: ${request.reason}`
  const error = new ToolError('approval_rejected', `A person rejected the call${because}`)
  const { reason } = request
  const data = {
    approvalId: approval.id,
    by: toText(caller),
    ...(reason !== undefined && { reason }),
  }
  const settlement = toDenial(call, error, { type: 'approval.rejected', at, data })
  return {
    by: caller.principal,
    person: caller.person,
    at,
    revision: approval.revision,
    reason: request.reason,
    ruling: { kind: 'reject', settlement },
  }
}

/** Ends a call whose approval has expired. */
export async function expireApproval(call: StoredCall, ports: PipelinePorts): Promise<void> {
  const error = new ToolError('approval_expired', 'Nobody decided on the call in time', {
    fix: 'Call again, and have someone decide before it expires.',
  })
  const data = { approvalId: call.approvalId ?? null }
  const settlement = toDenial(call, error, { type: 'approval.expired', at: ports.now(), data })
  if (!(await ports.approvals.expire(settlement))) return
  tellSettled(call, settlement, ports)
  ports.work.wake()
}

/** A call that was never allowed to start ends as denied. */
function toDenial(call: StoredCall, error: ToolError, first: NewEvent): Settlement {
  const facts = {
    callId: call.callId,
    caller: callerOf(call),
    requestedAt: Date.parse(call.requestedAt),
  }
  const details = { log: {}, settledAt: first.at, isDenied: true }
  const settlement = toSettlement(facts, { error: toCallError(error), warnings: [] }, details)
  return { ...settlement, events: [first, ...settlement.events] }
}

function tellSettled(call: StoredCall, settlement: Settlement, ports: PipelinePorts): void {
  ports.onSettled({
    tool: call.tool,
    status: settlement.status,
    durationMs: settlement.settledAt - Date.parse(call.requestedAt),
  })
}

function toText({ principal }: Caller): string {
  return `${principal.kind}:${principal.id}`
}
