import type { CallLog, StoredCall } from '../../call-log.ts'
import { toCallError } from '../record/call-error.ts'
import type { PipelinePorts } from '../ports.ts'
import { defaultQueue } from '../record/work-order.ts'
import { endStored, interrupted } from './end-stored.ts'

const claimAtOnce = 50

/**
 * Settles the calls of dead nodes whose callers waited for them: nobody waits any more, so they are
 * not rerun, unless they can continue: half of a composition is worse than none. Queued calls are
 * not included; their jobs find another node. Returns the number settled or queued.
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
    if (mayContinue(orphan) && (await putInLine(orphan, ports))) return
    await endStored(orphan, interrupted(orphan), ports)
  } catch (error) {
    ports.onWarning(`${orphan.callId} could not be recovered: ${toCallError(error).message}`)
  }
}

/** Of a nested call, the one that made it must be able to take the result. */
function mayContinue({ isResumable, parentId, stepKey }: StoredCall): boolean {
  return isResumable === true && (parentId === undefined || stepKey !== undefined)
}

async function putInLine(orphan: StoredCall, ports: PipelinePorts): Promise<boolean> {
  const { attempt } = orphan
  const work = orphan.work ?? { queue: defaultQueue, priority: 0 }
  await ports.work.prepare(work.queue)
  const data = { reason: 'The server that ran it has stopped' }
  const isBack = await ports.recorder.resume(orphan).requeue({
    attempt,
    work,
    isFailure: false,
    events: [{ type: 'call.queued', at: ports.now(), data }],
  })
  if (isBack) ports.work.wake()
  return isBack
}
