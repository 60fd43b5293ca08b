import type { StoredCall } from '../../core/call-log.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { expireApproval } from '../../core/pipeline/approvals/decide-approval.ts'
import type { PipelinePorts } from '../../core/pipeline/ports.ts'
import { findEntry, runQueued } from '../../core/pipeline/run-queued.ts'
import { endChild, endStored } from '../../core/pipeline/run/end-stored.ts'
import type { RegisteredTool } from '../../core/registry.ts'
import type { Sweep } from '../../core/work-ports.ts'
import type { WorkHandlers } from '../../engine/open-work.ts'

/** Handlers of due work, by kind. */
export function createWorkHandlers(ports: PipelinePorts, sweeps: readonly Sweep[]): WorkHandlers {
  return {
    run: (call) => runQueued(call, ports),
    giveUp: async (call) => void (await endStored(call, toolGone(call.tool), ports)),
    expire: (call) => expireCall(call, ports),
    strand: (call) => endChild(call, ports),
    sweeps,
  }
}

function toolGone(tool: string): ToolError {
  return new ToolError('tool_not_found', `${tool} was removed after the call was queued`)
}

/** A call that waited too long for an external answer. */
async function expireCall(call: StoredCall, ports: PipelinePorts): Promise<void> {
  if (call.waitingFor === 'approval') return expireApproval(call, ports)
  const reason = describeDelay(call, await findEntry(call, ports))
  await endStored(call, new ToolError('timeout', reason), ports)
}

function describeDelay({ waitingFor }: StoredCall, entry: RegisteredTool | undefined): string {
  if (waitingFor !== 'external') return 'The call waited too long'
  if (entry?.contract.source === 'agent') return 'The agent did not answer in time'
  return 'No external worker completed the call in time'
}
