import { openOperations } from '../../core/operations/run-operation.ts'
import type { Feature } from '../feature.ts'
import { settingOperations } from './operations.ts'

/** What the configuration says that people want to know and can't change over the API. */
export const settingsFeature: Feature = {
  name: 'settings',
  open: ({ config, store, roles, version }) => ({
    operations: openOperations(settingOperations, { config, store, roles, version }),
  }),
}
