import { openOperations } from '../../core/operations/run-operation.ts'
import type { Feature } from '../feature.ts'
import { usageOperations } from './operations.ts'

/** Daily figures of what was called. The store adds them up while it seals events. */
export const usageFeature: Feature = {
  name: 'usage',
  open: ({ store: { usage, audit }, now }) => ({
    operations: openOperations(usageOperations, { usage, audit, now }),
  }),
}
