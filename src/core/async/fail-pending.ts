import { ToolError } from '../kernel/errors.ts'
import { isSettled } from '../call-state.ts'
import type { PipelinePorts } from '../pipeline/ports.ts'
import { endStored } from '../pipeline/run/end-stored.ts'
import type { GroupStore } from './group-store.ts'
import type { StoredCall } from '../call-log.ts'
import type { GroupRecord } from './group.ts'

/** A member may change between reading and ending it; then it is read again. */
const maxRounds = 10

/** Ends the members that have not settled, wherever they are: nobody waits for them any longer. */
export async function failPending(
  { tenant, groupId }: Pick<GroupRecord, 'tenant' | 'groupId'>,
  { store, ports }: { store: Pick<GroupStore, 'listMembers'>; ports: PipelinePorts },
): Promise<void> {
  for (let round = 0; round < maxRounds; round += 1) {
    const members = await store.listMembers(tenant, groupId)
    const pending = members.filter(({ status }) => !isSettled(status))
    if (pending.length === 0) return
    await Promise.all(pending.map((call) => failCall(call, ports)))
  }
}

async function failCall(call: StoredCall, ports: PipelinePorts): Promise<void> {
  // A call that has started, or was handed over, may still take effect: a retry may be a second
  // effect.
  const retryable = call.isRepeatable || call.startedAt === undefined
  const because = new ToolError('timeout', 'It had not finished when its group timed out', {
    retryable,
  })
  await endStored(call, because, ports)
  // Settled first, so that the tool's reaction to the abort changes nothing.
  ports.running.find(call.callId)?.control.abort(because)
}
