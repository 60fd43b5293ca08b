import { ToolError } from '../kernel/errors.ts'
import { toGrants, toLevelRules } from './grants.ts'
import { compileLevel, type Vocabulary } from './level.ts'
import { compilePattern, compilePatterns } from '../patterns/patterns.ts'
import type { PolicyLevelSpec } from './policy-level.ts'
import type { AgentPolicy, ConfirmRules, ToolSettings } from './scope.ts'

/** The policy part of an agent's configuration. */
export interface AgentPolicySpec {
  readonly slug: string
  readonly tools?: PolicyLevelSpec
  readonly settings?: Readonly<Record<string, ToolSettings>>
  readonly autonomy?: AgentPolicy['autonomy']
  readonly hooks?: Partial<ConfirmRules>
  readonly toolMode?: AgentPolicy['toolMode']
  readonly shortNames?: boolean
  readonly memoryEnabled?: boolean
  readonly knowledgeEnabled?: boolean
  readonly permissions?: readonly string[]
}

/**
 * An agent from configuration, with grants from the source `global`. Throws `invalid_policy` for a
 * malformed pattern, an unknown profile or group, and invalid settings.
 */
export function toAgentPolicy(spec: AgentPolicySpec, vocabulary: Vocabulary): AgentPolicy {
  const { slug, tools = {}, settings = {}, autonomy = 'standard', permissions } = spec
  const { memoryEnabled = true, knowledgeEnabled = true, toolMode = 'auto' } = spec
  const { shortNames = false } = spec
  const agent: AgentPolicy = {
    slug,
    ...(tools.profile !== undefined && { profile: tools.profile }),
    grants: toGrants(tools),
    settings,
    autonomy,
    hooks: toConfirmRules(spec.hooks),
    toolMode,
    ...(shortNames && { shortNames }),
    memoryEnabled,
    knowledgeEnabled,
    ...(permissions !== undefined && { permissions }),
  }
  checkAgent(agent, vocabulary)
  return Object.freeze(agent)
}

function toConfirmRules({
  confirm = [],
  log = [],
  silent = [],
}: Partial<ConfirmRules> = {}): ConfirmRules {
  return { confirm, log, silent }
}

function checkAgent(agent: AgentPolicy, vocabulary: Vocabulary): void {
  try {
    compileLevel(toLevelRules(agent.profile, agent.grants), vocabulary)
    for (const patterns of Object.values(agent.hooks)) compilePatterns(patterns, vocabulary.groups)
    for (const name of Object.keys(agent.settings)) checkSettingsName(name, vocabulary)
  } catch (error) {
    const message = `In agent ${agent.slug}: ${(error as Error).message}`
    throw new ToolError('invalid_policy', message, { cause: error })
  }
}

/** Settings are looked up by exact name, so a pattern would silently do nothing. */
function checkSettingsName(name: string, { groups }: Vocabulary): void {
  compilePattern(name, groups)
  if (!name.includes('*') && !/^(?:group|pack):/.test(name)) return
  throw new ToolError('invalid_policy', `Settings are per tool, and "${name}" is a pattern`)
}
