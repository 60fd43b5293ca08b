import { ToolError } from '../../../core/errors.ts'
import type { GovernanceApi } from '../../../core/rules/governance-api.ts'

/** This crib has no agents and no policies; what the routes do with real ones is tested on a whole crib. */
export function memoryGovernance(): GovernanceApi {
  const none = async (): Promise<never> => {
    throw new ToolError('not_found', 'There is no such agent')
  }
  return {
    listAgents: async () => ({ items: [] }),
    findAgent: none,
    createAgent: none,
    changeAgent: none,
    deleteAgent: none,
    addGrant: none,
    removeGrant: none,
    turnOffTool: none,
    listPolicyDocuments: async () => [],
    writePolicyDocument: none,
    deletePolicyDocument: none,
    simulate: async () => ({ items: [], unchanged: 0 }),
    matchPatterns: async (_caller, patterns) =>
      patterns.map((pattern) => ({ pattern, count: 0, tools: [] })),
    listCatalogue: async () => ({ items: [] }),
  }
}
