import { z } from 'zod'
import type { StoredCall } from '../../core/call-log.ts'
import { isSettled } from '../../core/call-state.ts'
import { asAgent } from '../../core/kernel/caller.ts'
import type { Caller, CallResult } from '../../core/kernel/call.ts'
import { time } from '../../core/operations/fields.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import { requirePermission } from '../../core/operations/require-permission.ts'
import { isToolError, ToolError } from '../../core/kernel/errors.ts'
import { notUndoable, undoUntil } from '../../core/pipeline/undo/undo-issue.ts'
import { findUndos, toUndoRequest } from '../../core/pipeline/undo/undo-request.ts'
import { findVisible, isOwn } from './find-call.ts'
import type { CallOperationParts } from './parts.ts'
import { callResult } from './schemas.ts'

const define = operationsOf<CallOperationParts>('Calls')
const params = { id: 'The id of the call' }

/** `POST /calls/{id}/undo`. */
export const undoCall = define({
  http: 'POST /api/v1/calls/{id}/undo',
  summary: 'Undo a call',
  description:
    'A new call with `undoes`: of the same tool, or of the one that its definition names. Policy decides about it as about any call, and it may wait for approval. A call is undone once; an undo that failed may be tried again. Calls of others need `calls.manage`.',
  needs: 'tools.call',
  agents: 'own',
  params,
  answer: {
    description: 'The call that undoes it has settled',
    schema: callResult,
    whenAsync: 'The call that undoes it is stored and not settled yet',
  },
  refusals: { 409: 'It cannot be undone: the reason is in `detail`' },
  async run({ id }, { caller, parts, respondAsync, signal }) {
    const call = await findStored(parts, caller, id)
    if (!isOwn(caller, call)) requirePermission(caller, 'calls.manage')
    const as = asAgent(caller, { agent: call.agent, skill: call.skill })
    const { undoes, ...request } = await toUndoRequest(call, parts)
    const result = await parts.ports.callTool({
      ...request,
      undoes,
      respondAsync,
      signal,
      caller: { ...as, ...(call.sessionId !== undefined && { sessionId: call.sessionId }) },
      durable: true,
    })
    if (result.callId === undefined) throw toError(call.callId, result)
    return result
  },
})

const undoState = z
  .object({
    isPossible: z.boolean(),
    until: time.optional().meta({ description: 'When it becomes too late' }),
    reason: z.string().optional().meta({ description: 'Why it cannot be undone' }),
    undoneBy: z
      .string()
      .optional()
      .meta({ description: 'The call that has undone it, or is about to' }),
  })
  .meta({ id: 'UndoState' })

/** `GET /calls/{id}/undo`. */
export const findUndo = define({
  http: 'GET /api/v1/calls/{id}/undo',
  summary: 'Read whether a call can be undone',
  description: 'And until when. Policy is asked only when it is undone.',
  needs: 'signed-in',
  agents: 'own',
  params,
  answer: { description: 'Whether it can be undone', schema: undoState },
  async run({ id }, { caller, parts }) {
    const call = await findStored(parts, caller, id)
    const contract = parts.registry.find(call.tool, call.tenant)?.contract
    const until = contract && undoUntil(call, contract)
    const { earlier } = isSettled(call.status) ? await findUndos(call, parts) : {}
    const reason = await toUndoRequest(call, parts).then(() => undefined, toReason)
    return {
      isPossible: reason === undefined,
      ...(until !== undefined && { until: new Date(until).toISOString() }),
      ...(reason !== undefined && { reason }),
      ...(earlier !== undefined && { undoneBy: earlier.callId }),
    }
  },
})

/** With the input it ran with, which the record may hide. */
async function findStored(
  parts: CallOperationParts,
  caller: Caller,
  id: string,
): Promise<StoredCall> {
  const { callId, tenant } = await findVisible(parts, { caller, id })
  const stored = await parts.ports.calls.findWithInput(tenant, callId)
  if (stored === undefined) throw notUndoable(callId, 'its record is gone')
  return stored
}

function toReason(error: unknown): string {
  if (isToolError(error) && error.code === 'not_undoable') return error.message
  throw error
}

/** Two who ask at once have the same key: it belongs to the one who came first. */
function toError(callId: string, { error }: CallResult): ToolError {
  if (error === undefined) return new ToolError('tool_failed', 'The call could not be undone')
  if (error.code === 'idempotency_mismatch')
    return notUndoable(callId, 'somebody else is undoing it')
  const { code, message, retryAfterMs, refusalId, ...more } = error
  const details = {
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(refusalId !== undefined && { refusalId }),
  }
  return new ToolError(code, message, { ...more, details })
}
