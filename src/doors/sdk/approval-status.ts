import type { ToolApprovalStatus } from 'ai'
import { isToolError } from '../../core/kernel/errors.ts'
import { toCallError } from '../../core/pipeline/record/call-error.ts'
import type { OfferedTool } from '../../core/offer/tool-offer.ts'
import { describeError } from './tool-output.ts'
import type { SdkRun } from './tool-run.ts'
import { isUnanswered } from './unanswered.ts'

/** A tool call as the SDK asks about it. */
export interface AskedCall {
  toolName: string
  toolCallId: string
  input: unknown
}

/**
 * Whether a person has to be asked about a tool call; if so, the call is stored and waits. Never
 * throws, because that would end the whole turn, and denies what can't be checked. Tools that are
 * not ours are none of our business.
 */
export async function approvalStatus(
  run: SdkRun,
  tool: OfferedTool | undefined,
  { toolCallId, input }: AskedCall,
): Promise<ToolApprovalStatus> {
  try {
    if (tool === undefined) return undefined
    const outcome = await run.ask({ tool, toolCallId, input })
    if (outcome === undefined) return undefined
    if (outcome.kind === 'pending' && outcome.approvalId !== undefined) {
      const { name, effect } = outcome.stored
        ? { name: outcome.stored.tool, effect: undefined }
        : await run.meant({ tool, input })
      const what = effect === undefined ? name : `${name} (${effect})`
      return { type: 'user-approval', reason: `${what} waits for approval ${outcome.approvalId}` }
    }
    if (outcome.kind === 'denied' || isUnanswered(outcome)) {
      return { type: 'denied', reason: describeError(outcome.error) }
    }
    // Already decided, or invalid: running it returns its result or its error.
    return undefined
  } catch (error) {
    const reason = 'Whether it needs an approval could not be checked'
    if (!isToolError(error)) return { type: 'denied', reason }
    return { type: 'denied', reason: `${reason}\n${describeError(toCallError(error))}` }
  }
}
