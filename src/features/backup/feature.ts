import { openOperations } from '../../core/operations/run-operation.ts'
import type { Feature } from '../feature.ts'
import { backupOperations } from './operations.ts'
import { createTakeBackup } from './take-backup.ts'

/** Backups of a server that is in use. */
export const backupFeature: Feature = {
  name: 'backup',
  open: (kernel) => ({ operations: openOperations(backupOperations, createTakeBackup(kernel)) }),
}
