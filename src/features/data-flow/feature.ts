import { openOperations } from '../../core/operations/run-operation.ts'
import type { Feature } from '../feature.ts'
import { dataFlowOperations } from './operations.ts'

/** Labels of tools and flags of sessions, for the data-flow rule. */
export const dataFlowFeature: Feature = {
  name: 'data-flow',
  open: ({ store, rules }) => ({
    operations: openOperations(dataFlowOperations, {
      ruleStore: store.rules,
      sessionFlags: store.sessionFlags,
      rules,
    }),
  }),
}
