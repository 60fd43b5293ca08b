import { openOperations } from '../../core/operations/run-operation.ts'
import type { Feature } from '../feature.ts'
import { settingOperations } from './operations.ts'

/** Configuration values that people want to see and can't change over the API. */
export const settingsFeature: Feature = {
  name: 'settings',
  open: ({ config, store, roles, version }) => ({
    operations: openOperations(settingOperations, { config, store, roles, version }),
  }),
}
