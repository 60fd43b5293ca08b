import type { CallResult } from '../../kernel/call.ts'
import { ToolError } from '../../kernel/errors.ts'
import type { PreparedCall } from '../context/prepare-call.ts'
import type { PipelinePorts } from '../ports.ts'
import { toCallError } from '../record/call-error.ts'
import { isRepeatable } from '../record/call-facts.ts'

/** A run whose end is being written. */
interface EndedRun {
  call: Pick<PreparedCall, 'facts'>
  /** Somebody waits for the result. */
  isAwaited: boolean
  ports: Pick<PipelinePorts, 'waitForCall' | 'running'>
}

/**
 * The answer is on disk. A settlement that lost to an earlier one returns the earlier result; one
 * that lost to another node, which has taken the call over, returns what becomes of it there.
 */
export async function confirmEnd(
  written: Promise<boolean>,
  result: CallResult,
  run: EndedRun,
): Promise<CallResult> {
  const { callId, contract } = run.call.facts
  try {
    return (await written) ? result : await lookElsewhere(run)
  } catch (error) {
    const lost = new ToolError(
      'record_failed',
      'The tool ran, but its result could not be recorded yet',
      {
        cause: error,
        // Calling again would be a second effect, not a retry.
        retryable: isRepeatable(contract),
        fix: `Look again later: toolcrib call --watch ${callId}`,
      },
    )
    return { callId, status: 'failed', error: toCallError(lost) }
  }
}

/**
 * On another node it may wait for days. That must neither keep a worker here nor hold up a stop of
 * this server, which can no longer reach the run itself.
 */
function lookElsewhere({ call, isAwaited, ports }: EndedRun): Promise<CallResult> {
  const { callId, caller } = call.facts
  const patience = new AbortController()
  if (!isAwaited) patience.abort()
  const done = ports.waitForCall(caller.tenant, callId, patience.signal)
  const control = { abort: () => patience.abort() }
  if (isAwaited) ports.running.add({ callId, tenant: caller.tenant, control, done })
  return done
}
