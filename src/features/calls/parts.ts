import type { ArtifactStore } from '../../core/artifact-store.ts'
import type { CallLog } from '../../core/call-log.ts'
import type { CallRecord, CallResult } from '../../core/kernel/call.ts'
import type { ChainedRequest } from '../../core/pipeline/chained-request.ts'
import type { PipelinePorts } from '../../core/pipeline/ports.ts'

/** Resolves with the record once it is settled, or with its current state at the timeout. */
export type WaitForCall = (
  tenant: string,
  callId: string,
  options?: { waitMs?: number; signal?: AbortSignal },
) => Promise<CallRecord | undefined>

/** The dependencies of the operations on calls. */
export interface CallOperationParts extends Pick<
  PipelinePorts,
  'recorder' | 'registry' | 'readyTools' | 'running' | 'work' | 'now'
> {
  calls: Pick<CallLog, 'find' | 'list' | 'listChildren' | 'tallySteps' | 'requestCancel' | 'settle'>
  ports: PipelinePorts
  artifacts: Pick<ArtifactStore, 'read'>
  waitForCall: WaitForCall
  call(request: ChainedRequest): Promise<CallResult>
}
