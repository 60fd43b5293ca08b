import { openOperations } from '../../core/operations/run-operation.ts'
import type { Feature } from '../feature.ts'
import { approvalOperations } from './operations.ts'
import { outboxSweeps } from './outbox/open-outbox.ts'

/** Calls that wait for approval. The pipeline asks, and runs approved calls. */
export const approvalsFeature: Feature = {
  name: 'approvals',
  open(kernel) {
    const { store, ports, config } = kernel
    const { approvals, events, now } = store
    return {
      operations: openOperations(approvalOperations, { approvals, events, now, ports }),
      sweeps: outboxSweeps({ ...kernel, webhook: config.approvals.webhook }),
    }
  },
}
