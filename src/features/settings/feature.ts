import { openOperations } from '../../core/operations/run-operation.ts'
import type { Feature } from '../feature.ts'
import { settingOperations } from './operations.ts'

/** Configuration values, which the API shows but cannot change. */
export const settingsFeature: Feature = {
  name: 'settings',
  open: ({ config, store, roles, version }) => ({
    operations: openOperations(settingOperations, { config, store, roles, version }),
  }),
}
