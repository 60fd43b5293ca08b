import { openOperations } from '../../core/operations/run-operation.ts'
import type { Feature } from '../feature.ts'
import { auditOperations } from './operations.ts'

/** The event log for auditors. The store seals it as events arrive. */
export const auditFeature: Feature = {
  name: 'audit',
  open: ({ store }) => ({
    operations: openOperations(auditOperations, store),
    // Not woken by events: a segment per event would make the chain longer than the log.
    sweeps: [
      { name: 'events to seal', everyMs: 1000, isWoken: false, run: () => store.audit.sweep() },
    ],
  }),
}
