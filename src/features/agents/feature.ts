import { openOperations } from '../../core/operations/run-operation.ts'
import type { Feature } from '../feature.ts'
import { grantOperations } from './grant-operations.ts'
import { agentOperations } from './operations.ts'

/** Agents and their grants. */
export const agentsFeature: Feature = {
  name: 'agents',
  open({ store, ports: { registry }, rules, dropAgent }) {
    const parts = { store, registry, rules, dropAgent }
    return { operations: openOperations({ ...agentOperations, ...grantOperations }, parts) }
  },
}
