import type { ApprovalStart } from '../../approvals/approval.ts'
import type { CallResult } from '../../kernel/call.ts'
import { ToolError } from '../../kernel/errors.ts'
import type { Admission } from '../admit.ts'
import { previewForApproval } from '../approvals/preview-for-approval.ts'
import { requirePreview } from '../approvals/require-preview.ts'
import { holdUploads } from '../input-files.ts'
import type { PipelinePorts } from '../ports.ts'
import { toCallError } from '../record/call-error.ts'
import { toCallStart, toResult, toSettlement } from '../record/call-facts.ts'
import { toWorkOrder } from '../record/work-order.ts'
import { findConsent } from './find-consent.ts'
import { joinEarlier } from './join-earlier.ts'
import { reportId } from './report-id.ts'

/**
 * Ends a call that a person must approve: it waits in storage, or is denied if a tool above it
 * can't wait. Undefined when calls like it were approved before; the decision then names the rule.
 */
export async function ask(
  admission: Admission,
  ports: PipelinePorts,
): Promise<CallResult | undefined> {
  const consent = await findConsent(admission, ports)
  if (consent.kind === 'remembered') {
    admission.facts.decision = consent.decision
    return undefined
  }
  const asked = { ...admission, facts: consent.facts }
  if (admission.request.mayWait === false) {
    await holdUploads(asked, ports)
    return deny(asked, toCannotWait(asked), ports)
  }
  return openWaiting(asked, consent, ports)
}

/** Stores a call with its approval. It uses nothing in this process while it waits. */
export async function openWaiting(
  admission: Admission,
  { approval }: { approval: ApprovalStart },
  ports: PipelinePorts,
): Promise<CallResult> {
  const { facts, request } = admission
  await request.step?.barrier()
  await holdUploads(admission, ports)
  const preview = await previewForApproval(admission, ports)
  try {
    requirePreview(admission.entry.tool, preview)
  } catch (error) {
    return deny(admission, error, ports)
  }
  const work = toWorkOrder(facts.contract, request)
  await ports.work.prepare(work.queue)
  const waiting = { status: 'waiting', waitingFor: 'approval' } as const
  const opened = await ports.recorder.open(
    toCallStart(facts, {
      ...waiting,
      work,
      deadlineAt: approval.expiresAt,
      approval: { ...approval, preview },
    }),
  )
  if ('kind' in opened) return joinEarlier(opened, admission, ports)
  reportId(request, facts.callId)
  ports.work.wake()
  return { callId: facts.callId, ...waiting, approvalId: approval.id }
}

function toCannotWait({ facts, request }: Admission): ToolError {
  const { contract, decision } = facts
  const because = `${contract.name} needs a person's approval (${decision.reasons.join('; ')})`
  return cannotWait(because, request.heldBy)
}

/** Records a call that would have to wait and can't: who wanted what, and what prevented it. */
async function deny(
  { facts }: Admission,
  error: unknown,
  ports: PipelinePorts,
): Promise<CallResult> {
  const { contract, groupId } = facts
  const start = toCallStart({ ...facts, idempotencyKey: undefined }, { status: 'running' })
  const first = { ...start, startedAt: undefined, events: start.events.slice(0, 1) }
  const settlement = toSettlement(
    facts,
    { error: toCallError(error), warnings: [] },
    { log: {}, settledAt: ports.now(), isDenied: true },
  )
  // A group must count the call as a member before it can count it as settled.
  const writer =
    groupId === undefined ? ports.recorder.openLater(first) : await ports.recorder.open(first)
  if ('kind' in writer) throw writer.kind === 'refused' ? writer.error : error
  await writer.settle(settlement)
  ports.onSettled({ tool: contract.name, status: 'denied', durationMs: 0 })
  if (groupId !== undefined) ports.work.wake()
  return toResult(settlement)
}

/** The error of a nested call that would have to wait, naming the tool above that can't. */
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
