import { openOperations } from '../../core/operations/run-operation.ts'
import type { Feature } from '../feature.ts'
import { grantOperations } from './grant-operations.ts'
import { createAgentTools } from './agent-tools.ts'
import { agentOperations } from './operations.ts'

/** Agents and their grants. */
export const agentsFeature: Feature = {
  name: 'agents',
  open(kernel) {
    const { store, ports, rules, dropAgent } = kernel
    const { registry } = ports
    const parts = { store, registry, rules, dropAgent }
    return {
      operations: openOperations({ ...agentOperations, ...grantOperations }, parts),
      sources: [createAgentTools(kernel)],
    }
  },
}
