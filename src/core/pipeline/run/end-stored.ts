import type { StoredCall } from '../../call-log.ts'
import { isSettled } from '../../call-state.ts'
import { ToolError } from '../../kernel/errors.ts'
import type { PipelinePorts } from '../ports.ts'
import { toCallError } from '../record/call-error.ts'
import { toSettlement } from '../record/call-facts.ts'
import { callerOf } from '../stored-request.ts'

/** Settles a stored call without running it, unless it has changed since it was read. */
export async function endStored(
  stored: StoredCall,
  because: unknown,
  ports: PipelinePorts,
): Promise<boolean> {
  const facts = {
    callId: stored.callId,
    caller: callerOf(stored),
    requestedAt: Date.parse(stored.requestedAt),
  }
  const error = toCallError(because)
  const details = { log: {}, settledAt: ports.now() }
  const settlement = toSettlement(facts, { error, warnings: [] }, details)
  const guarded = { ...settlement, attempt: stored.attempt, from: stored.status, hadJob: true }
  const isEnded = await ports.recorder.resume(stored).settle(guarded)
  if (!isEnded) return false
  ports.onSettled({
    tool: stored.tool,
    status: settlement.status,
    durationMs: settlement.settledAt - facts.requestedAt,
  })
  if (stored.isResumable) await endChildren(stored, ports)
  ports.work.wake()
  return true
}

/** Ends the open calls of one that has ended: the last one first, because it may rest on others. */
export async function endChildren(
  { tenant, callId }: Pick<StoredCall, 'tenant' | 'callId'>,
  ports: PipelinePorts,
): Promise<void> {
  const children = await ports.calls.listChildren(tenant, callId)
  for (const child of children.toReversed()) {
    if (!isSettled(child.status)) await endChild(child, ports)
  }
}

/** A call that runs ends by itself once it is aborted; its own children end with it. */
export async function endChild(child: StoredCall, ports: PipelinePorts): Promise<void> {
  const because = new ToolError('cancelled', 'The call that made this one has ended')
  const here = ports.running.find(child.callId)
  if (here !== undefined) return here.control.abort(because)
  const isAtRest = child.status === 'waiting' || child.status === 'queued'
  if (isAtRest && (await endStored(child, because, ports))) return
  await ports.calls.requestCancel(child.tenant, child.callId)
}

/** The error of a call whose node died while it ran. */
export function interrupted(stored: Pick<StoredCall, 'isRepeatable' | 'isResumable'>): ToolError {
  if (stored.isRepeatable || stored.isResumable) {
    return new ToolError(
      'interrupted',
      'The server stopped before the tool had finished; try again',
    )
  }
  return new ToolError(
    'outcome_unknown',
    'The server stopped while the tool was running; whether it took effect is not known',
    { fix: 'Check what the tool works on before you call it again.' },
  )
}
