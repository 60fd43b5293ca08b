import { openOperations } from '../../core/operations/run-operation.ts'
import type { Feature } from '../feature.ts'
import { policyOperations } from './operations.ts'

/** What a tenant decides for all its agents, and what that would change. */
export const policiesFeature: Feature = {
  name: 'policies',
  open: ({ store, ports: { registry }, rules, config }) => ({
    operations: openOperations(policyOperations, { store, registry, rules, config }),
  }),
}
