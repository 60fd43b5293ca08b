import { openOperations } from '../../core/operations/run-operation.ts'
import type { Feature } from '../feature.ts'
import { approvalOperations } from './operations.ts'

/** Calls that wait for approval. The pipeline asks, and runs approved calls. */
export const approvalsFeature: Feature = {
  name: 'approvals',
  open: ({ store: { approvals, events, now }, ports }) => ({
    operations: openOperations(approvalOperations, { approvals, events, now, ports }),
  }),
}
