import { asAgent } from '../../../core/kernel/caller.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { ExplainApi } from '../../../core/explain/explain-api.ts'
import type { Explanation } from '../../../core/policy/scope.ts'
import type { OverviewApi } from '../../../core/explain/overview-api.ts'
import { memoryTools } from './memory-tools.ts'

/** Explaining without rules: everything is seen, nobody was refused. */
export function memoryExplain(): ExplainApi & OverviewApi {
  return {
    explain: async (caller, { tool, agent }) => {
      asAgent(caller, { agent })
      const items: Explanation[] = memoryTools
        .map(({ listing }) => listing)
        .filter(({ name }) => tool === undefined || tool === name)
        .map(({ name }) => ({
          tool: name,
          visible: true,
          verdict: 'allow',
          reasons: [],
          layers: [],
        }))
      return { items }
    },
    explainDecision: async (_caller, id) => {
      throw new ToolError('not_found', `There is no decision ${id} to explain`)
    },
    listAgentTools: async () => ({ items: [], counts: { all: 0, allow: 0, ask: 0, hidden: 0 } }),
    readPolicyWords: async () => ({ profiles: [], groups: [], packs: [] }),
  }
}
