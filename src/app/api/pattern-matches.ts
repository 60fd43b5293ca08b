import { isToolError } from '../../core/errors.ts'
import { compilePattern, type NamedTool } from '../../core/policy/patterns.ts'
import type { GovernanceApi, PatternMatch } from '../../core/rules/governance-api.ts'
import { toWords } from '../governance/tenant-scopes.ts'
import { toolsOf } from '../governance/tools-of.ts'
import type { AgentAccessOptions } from './agent-access.ts'
import { requireManager } from '../../core/operations/require-permission.ts'

const mostNamed = 5

/** What patterns match before anybody saves them: one that matches nothing is usually a slip. */
export function createPatternMatches({
  config,
  registry,
  views,
}: AgentAccessOptions): Pick<GovernanceApi, 'matchPatterns'> {
  return {
    async matchPatterns(caller, patterns) {
      requireManager(caller, ['policy.read', 'policy.write', 'agents.manage', 'limits.manage'])
      const { groups } = toWords(await views.find(caller.tenant), config, registry.packs())
      const tools = toolsOf(registry, caller.tenant)
        .list()
        .map(({ contract }) => contract)
      return patterns.map((pattern) => toMatch(pattern, tools, groups))
    },
  }
}

function toMatch(
  pattern: string,
  tools: readonly (NamedTool & { aliases: readonly string[] })[],
  groups: Parameters<typeof compilePattern>[1],
): PatternMatch {
  try {
    const fits = compilePattern(pattern, groups)
    const found = tools.filter((tool) => fits(tool) || tool.aliases.includes(pattern))
    const named = found.slice(0, mostNamed).map(({ name }) => name)
    return { pattern, count: found.length, tools: named }
  } catch (error) {
    if (!isToolError(error)) throw error
    return { pattern, count: 0, tools: [], problem: error.message }
  }
}
