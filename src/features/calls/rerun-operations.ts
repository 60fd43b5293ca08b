import { asAgent } from '../../core/kernel/caller.ts'
import type { Caller, CallRecord } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import type { ChainedRequest } from '../../core/pipeline/chained-request.ts'
import { findTool } from '../../core/pipeline/find-tool.ts'
import { toRerun } from '../../core/pipeline/rerun/to-rerun.ts'
import { isRedacted, listMarks } from '../../core/secrets/is-redacted.ts'
import { findVisible } from './find-call.ts'
import type { CallOperationParts } from './parts.ts'
import { callResult, rerunRequest } from './schemas.ts'

const define = operationsOf<CallOperationParts>('Calls')

/** `POST /calls/{id}/rerun`. */
export const rerunCall = define({
  http: 'POST /api/v1/calls/{id}/rerun',
  summary: 'Call the same tool again',
  description:
    'A new call with the old input or a new one. The response is that of a tool call. With `from`, a composition in the version that the call ran: the results of steps that do not follow that step, directly or not, are taken from the call as they are; the step and all that follow run, and so does a step without a result.',
  needs: 'tools.call',
  agents: 'own',
  params: { id: 'The id of the call' },
  body: rerunRequest,
  isBodyOptional: true,
  answer: {
    description: 'The new call has settled',
    schema: callResult,
    whenAsync: 'The new call is stored and not settled yet',
  },
  refusals: {
    409: 'It cannot run again from that step: the reason is in `detail`',
  },
  async run({ id, from, input }, { caller, parts, respondAsync }) {
    const call = await findVisible(parts, { caller, id })
    const as = asAgent(caller, { agent: call.agent, skill: call.skill })
    if (input === undefined && isRedacted(call.input)) throw redactedInput(call)
    const asking = { ...as, sessionId: call.sessionId }
    return parts.call({
      respondAsync,
      tool: call.tool,
      input: input === undefined ? call.input : input,
      caller: asking,
      durable: true,
      ...(await toMore(call, { from, caller: asking }, parts)),
    })
  },
})

/**
 * A tool that the caller may not see is called without looking at its steps: the answer is then that
 * of any call of it.
 */
async function toMore(
  call: CallRecord,
  { from, caller }: { from: string | undefined; caller: Caller },
  parts: CallOperationParts,
): Promise<Pick<ChainedRequest, 'candidate' | 'rerun'>> {
  const rerun = { of: call.callId }
  if (from === undefined || !(await maySeeTool(call.tool, caller, parts))) return { rerun }
  const stored = await parts.ports.calls.findWithInput(call.tenant, call.callId)
  if (stored === undefined) throw new ToolError('not_found', `There is no call ${call.callId}`)
  return toRerun(stored, from, parts.ports)
}

/** True for a tool that this caller could call. */
export async function maySeeTool(
  tool: string,
  caller: Caller,
  { ports }: Pick<CallOperationParts, 'ports'>,
): Promise<boolean> {
  await ports.readyTools(caller.tenant)
  const found = findTool({ tool }, await ports.scopeFor(caller), ports)
  return found !== undefined && found.decision.verdict !== 'deny'
}

function redactedInput(call: CallRecord): ToolError {
  return new ToolError(
    'invalid_request',
    `The input of ${call.callId} held secrets, which are not kept`,
    {
      issues: listMarks(call.input).map((path) => ({ path, message: 'has to be entered again' })),
      fix: 'Send the whole input, with the hidden values entered again.',
    },
  )
}
