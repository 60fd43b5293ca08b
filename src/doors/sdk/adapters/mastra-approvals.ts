import { z } from 'zod'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { OfferedTool } from '../../../core/offer/tool-offer.ts'
import { toCallError } from '../../../core/pipeline/record/call-error.ts'
import { isRecord } from '../../../core/kernel/json/json-type.ts'
import type { Outcome } from '../tool-run.ts'
import { isWaiting } from './is-waiting.ts'
import type { OpenRun, WiredCall } from './open-run.ts'
import { toAsked } from './to-asked.ts'

/** The part of Mastra's tool context that is used here. */
export interface MastraContext {
  agent?: MastraAgent
  abortSignal?: AbortSignal
}

interface MastraAgent {
  toolCallId?: string
  suspend?: (payload: Suspended) => Promise<unknown>
  /**
   * The data the run was resumed with; a model may also have written some into its call under that
   * name.
   */
  resumeData?: unknown
  /** The data the tool suspended the run with; never the model's. */
  suspendPayload?: unknown
}

/** The data a run is suspended with, for the code that resumes it. */
export type Suspended = z.infer<typeof suspendSchema>

export const suspendSchema = z.object({
  kind: z.literal('approval'),
  approvalId: z.string(),
  callId: z.string(),
  tool: z.string(),
  input: z.unknown(),
})

export const resumeSchema = z.looseObject({
  approved: z.boolean().optional().describe('What the approver said'),
  reason: z.string().optional(),
})

/**
 * Makes a call in an agent's run. If a person has to be asked, the approval is stored first, and the
 * run suspended with its id; while nothing is decided it is suspended again.
 */
export async function callOrSuspend(
  open: OpenRun,
  of: { offered: OfferedTool; call: WiredCall; agent: MastraAgent | undefined },
): Promise<Outcome | 'suspended'> {
  const { offered, call, agent } = of
  if (agent?.suspend === undefined) return open.call(call)
  const made = offered.mayAsk ? undefined : await open.call(call)
  // Else it was listed before it had to ask, or has been asked about before it had not to.
  if (made !== undefined && !isWaiting(made)) return made
  const { resumeData, suspendPayload } = agent
  // Mastra takes `resumeData` from a model's input, before that of a person and for every resumption.
  if (resumeData !== undefined && resumeData !== null && !isRecord(suspendPayload)) {
    return { kind: 'failed', error: toCallError(selfApproval()), callId: undefined }
  }
  const asked = await open.answer(call, toSaid(resumeData))
  if (!isWaiting(asked)) return open.call(call)
  const { approvalId, callId } = asked
  const { tool, input } = await toAsked(open, call, asked)
  await agent.suspend({ kind: 'approval', approvalId, callId, tool, input })
  return 'suspended'
}

function selfApproval(): ToolError {
  return new ToolError('approval_required', 'A model can not answer for the person who is asked', {
    fix: 'Call the tool without resumeData.',
  })
}

function toSaid(value: unknown): { approved: boolean; reason?: string } | undefined {
  if (!isRecord(value) || typeof value['approved'] !== 'boolean') return undefined
  const { approved, reason } = value
  return { approved, ...(typeof reason === 'string' && { reason }) }
}
