import { findTerms } from '../../core/approvals/approval-terms.ts'
import type { ApprovalPort, WorkPort } from '../../core/pipeline/ports.ts'
import type { Stores } from '../../features/stores.ts'
import type { Work } from '../../engine/open-work.ts'
import type { Config } from '../config/config-schema.ts'

/** How the pipeline hands work to the queue. */
export function createWorkPort(
  { prepare, checkRoom, wake }: Work,
  { isRunner, workers, publicUrl }: { isRunner: boolean; workers: number; publicUrl(): string },
): WorkPort {
  const keepWorker = createWorkerShare(Math.floor(workers / 4))
  const completionUrl = (callId: string) => `${publicUrl()}/api/v1/calls/${callId}/complete`
  return { isRunner, prepare, checkRoom, wake, completionUrl, keepWorker }
}

/** Counts calls that hold a worker while they wait, up to this many. */
function createWorkerShare(most: number): WorkPort['keepWorker'] {
  let count = 0
  return () => {
    if (count >= most) return undefined
    count += 1
    return () => void (count -= 1)
  }
}

/** Approvals, on the terms of the configuration. */
export function createApprovalPort({ approvals }: Config, store: Stores): ApprovalPort {
  return {
    ...store.approvals,
    termsFor: (tool, { agent, groups }) =>
      findTerms(approvals, { tool, agent: agent?.slug }, groups),
    isAnnounced: approvals.webhook !== undefined,
  }
}
