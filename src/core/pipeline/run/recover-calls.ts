import type { CallLog, StoredCall } from '../../call-log.ts'
import { toCallError } from '../record/call-error.ts'
import type { PipelinePorts } from '../ports.ts'
import { endStored, interrupted } from './end-stored.ts'

const claimAtOnce = 50

/**
 * Settles the calls of dead nodes whose callers waited for them: nobody waits any more, so they are
 * not rerun. Queued calls are not included; their jobs find another node. Returns the number
 * settled.
 */
export async function recoverCalls(calls: CallLog, ports: PipelinePorts): Promise<number> {
  let total = 0
  while (true) {
    const orphans = await calls.claimOrphans(claimAtOnce)
    await Promise.all(orphans.map((orphan) => giveUp(orphan, ports)))
    total += orphans.length
    if (orphans.length < claimAtOnce) return total
  }
}

async function giveUp(orphan: StoredCall, ports: PipelinePorts): Promise<void> {
  try {
    await endStored(orphan, interrupted(orphan), ports)
  } catch (error) {
    ports.onWarning(`${orphan.callId} could not be recovered: ${toCallError(error).message}`)
  }
}
