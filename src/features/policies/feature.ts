import { openOperations } from '../../core/operations/run-operation.ts'
import type { Feature } from '../feature.ts'
import { policyOperations } from './operations.ts'

/** A tenant's rules for all its agents, and the effect of changing them. */
export const policiesFeature: Feature = {
  name: 'policies',
  open: ({ store, ports: { registry }, rules, config }) => ({
    operations: openOperations(policyOperations, { store, registry, rules, config }),
  }),
}
