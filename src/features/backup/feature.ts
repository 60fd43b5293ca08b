import { openOperations } from '../../core/operations/run-operation.ts'
import type { Feature } from '../feature.ts'
import { backupOperations } from './operations.ts'
import { createTakeBackup } from './store.ts'

/** Backups of an embedded store that is in use. */
export const backupFeature: Feature = {
  name: 'backup',
  open: (kernel) => ({ operations: openOperations(backupOperations, createTakeBackup(kernel)) }),
}
