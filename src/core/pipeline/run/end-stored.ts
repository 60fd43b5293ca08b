import type { StoredCall } from '../../call-log.ts'
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
): Promise<void> {
  const facts = {
    callId: stored.callId,
    caller: callerOf(stored),
    requestedAt: Date.parse(stored.requestedAt),
  }
  const error = toCallError(because)
  const details = { log: {}, settledAt: ports.now() }
  const settlement = toSettlement(facts, { error, warnings: [] }, details)
  const guarded = { ...settlement, attempt: stored.attempt, from: stored.status, hadJob: true }
  const isSettled = await ports.recorder.resume(stored).settle(guarded)
  if (!isSettled) return
  ports.onSettled({
    tool: stored.tool,
    status: settlement.status,
    durationMs: settlement.settledAt - facts.requestedAt,
  })
  ports.work.wake()
}

/** The error of a call whose node died while it ran. */
export function interrupted(stored: Pick<StoredCall, 'isRepeatable'>): ToolError {
  if (stored.isRepeatable) {
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
