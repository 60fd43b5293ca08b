import { asAgent } from '../../../core/caller.ts'
import { ToolError } from '../../../core/errors.ts'
import type { ExplainApi, LabelSetting } from '../../../core/explain/explain-api.ts'
import type { OverviewApi } from '../../../core/explain/overview-api.ts'
import { memoryTools } from './memory-tools.ts'

/** Explaining without rules: everything is seen, nobody was refused. */
export function memoryExplain(): ExplainApi & OverviewApi {
  const labels = new Map<string, LabelSetting>()
  return {
    explain: async (caller, { tool, agent }) => {
      asAgent(caller, { agent })
      return memoryTools
        .map(({ listing }) => listing)
        .filter(({ name }) => tool === undefined || tool === name)
        .map(({ name }) => ({
          tool: name,
          visible: true,
          verdict: 'allow',
          reasons: [],
          layers: [],
        }))
    },
    explainDecision: async (_caller, id) => {
      throw new ToolError('not_found', `There is no decision ${id} to explain`)
    },
    listAgentTools: async () => ({ items: [], counts: { all: 0, allow: 0, ask: 0, hidden: 0 } }),
    readPolicyWords: async () => ({ profiles: [], groups: [], packs: [] }),
    listSessionFlags: async () => [],
    clearSessionFlags: async () => [],
    listLabels: async () => [...labels.values()],
    writeLabel: async (_caller, pattern, given) => {
      const label = { pattern, ...given, isDeclared: false, setBy: 'user:owner' }
      labels.set(pattern, label)
      return label
    },
    deleteLabel: async (_caller, pattern) => {
      if (!labels.delete(pattern)) throw new ToolError('not_found', `There is no label ${pattern}`)
    },
  }
}
