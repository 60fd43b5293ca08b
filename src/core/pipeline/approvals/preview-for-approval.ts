import type { ApprovalPreview } from '../../approvals/approval-preview.ts'
import type { CallResult } from '../../kernel/call.ts'
import { emptyRedactor } from '../../secrets/redact.ts'
import type { Admission } from '../admit.ts'
import type { PipelinePorts } from '../ports.ts'
import { presentError, toCallError } from '../record/call-error.ts'
import { previewIn, runPreview } from '../shielded/preview-call.ts'

/** Its caller waits for the approval to be stored, so a slow preview is given up. */
const longestMs = 15_000

/**
 * The preview that an approval shows; undefined for a tool without one. Never rejects: a preview that
 * fails or takes too long is shown as unavailable, and nobody waits for it.
 */
export async function previewForApproval(
  admission: Admission,
  ports: PipelinePorts,
): Promise<ApprovalPreview | undefined> {
  const { entry, facts } = admission
  const declared = entry.contract.preview
  if (declared === undefined) return undefined
  const part = { isCounted: false, parentId: facts.callId, timeoutMs: longestMs }
  const result = await runPreview(admission, part, ports).catch(toFailed)
  const { callId, error } = result
  const made = previewIn(result)
  return {
    state: made === undefined ? 'unavailable' : 'made',
    at: new Date(ports.now()).toISOString(),
    ...(callId !== undefined && { callId }),
    binds: declared.binds,
    ...(entry.tool.asksEachTime !== undefined && { isForThisCall: true as const }),
    ...made,
    ...(error !== undefined && { error: { code: error.code, message: error.message } }),
  }
}

function toFailed(error: unknown): CallResult {
  return { status: 'failed', error: presentError(toCallError(error), emptyRedactor) }
}
