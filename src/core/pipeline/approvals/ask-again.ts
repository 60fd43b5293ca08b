import type { ApprovalPreview } from '../../approvals/approval-preview.ts'
import type { StoredCall } from '../../call-log.ts'
import type { EventPayloads } from '../../events/event.ts'
import { ToolError } from '../../kernel/errors.ts'
import type { BoundPreview } from '../../kernel/trial/tool-preview.ts'
import { toNamed } from '../../policy/compiled-scope.ts'
import type { Admission } from '../admit.ts'
import type { PipelinePorts } from '../ports.ts'
import { previewForApproval } from './preview-for-approval.ts'
import { requirePreview } from './require-preview.ts'

/** A preview that is never the same twice would have people approve for ever. */
const maxTimesChanged = 5

/**
 * Makes the preview of an approved call again before it runs. If it differs from the one that was
 * approved, the call waits for approval again: true. Throws `preview_changed` after too many times.
 */
export async function askAgainIfChanged(
  admission: Admission,
  stored: StoredCall,
  ports: PipelinePorts,
): Promise<boolean> {
  // A run that has begun may have changed the targets itself.
  const isFirstRun = stored.isApproved && stored.attempt === 0
  if (!isFirstRun || admission.entry.contract.preview?.binds !== true) return false
  const approval = await ports.approvals.find(stored.tenant, stored.approvalId ?? '')
  const approved = approval?.preview
  if (approval === undefined || approved?.digest === undefined) return false
  const preview = await previewForApproval(admission, ports)
  requirePreview(admission.entry.tool, preview)
  if (preview === undefined || preview.digest === approved.digest) return false
  const again = { approvalId: approval.id, revision: approval.revision + 1 }
  await reopen(again, toChanged(preview, approved, stored), { admission, stored, ports })
  return true
}

function toChanged(
  preview: ApprovalPreview,
  approved: ApprovalPreview,
  { tool }: StoredCall,
): ApprovalPreview {
  const timesChanged = (approved.timesChanged ?? 0) + 1
  if (timesChanged > maxTimesChanged) throw neverTheSame(tool)
  return { ...preview, previous: toBound(approved), timesChanged }
}

/** If the store refuses, the call has been cancelled or taken over: there is nothing to run here. */
async function reopen(
  { approvalId, revision }: { approvalId: string; revision: number },
  preview: ApprovalPreview,
  { admission, stored, ports }: { admission: Admission; stored: StoredCall; ports: PipelinePorts },
): Promise<void> {
  const at = ports.now()
  const { expiresInMs } = ports.approvals.termsFor(toNamed(admission.entry), admission.scope)
  const expiresAt = at + expiresInMs
  const data: EventPayloads['approval.reopened'] = {
    approvalId,
    revision,
    reason: 'preview_changed',
    expiresAt: new Date(expiresAt).toISOString(),
  }
  await ports.approvals.reopen(stored.tenant, approvalId, {
    callId: stored.callId,
    at,
    expiresAt,
    preview,
    isAnnounced: ports.approvals.isAnnounced,
    events: [
      { type: 'approval.reopened', at, data },
      { type: 'call.waiting', at, data: { for: 'approval' } },
    ],
  })
  ports.work.wake()
}

function toBound({ summary = '', changes = [], count, warnings, digest = '' }: ApprovalPreview) {
  const bound: BoundPreview = { summary, changes, digest }
  if (count !== undefined) bound.count = count
  if (warnings !== undefined) bound.warnings = warnings
  return bound
}

function neverTheSame(tool: string): ToolError {
  return new ToolError(
    'preview_changed',
    `The preview of ${tool} was different each of the ${maxTimesChanged + 1} times that it was made`,
    {
      fix: 'Leave times and other passing values out of the changes of its preview, or set previewBinds: false.',
    },
  )
}
