import { isToolError } from '../kernel/errors.ts'
import { toLevelRules } from './grants.ts'
import type { Groups } from '../patterns/groups.ts'
import { cacheByIdentity } from '../kernel/identity-cache.ts'
import { type CompiledLevel, compileStoredLevel, type Vocabulary } from './level.ts'
import { compilePatterns, type NamedTool } from '../patterns/patterns.ts'
import { compilePermissions, type PermissionSet } from './permissions.ts'
import type { AgentPolicy, Autonomy, ConfirmRules, ToolSettings } from './scope.ts'

/** An agent ready to judge; the same shape for the caller and for the agents above it. */
export interface AgentRules {
  readonly slug: string
  readonly tenant: string
  /** Who set the agent and when, in words. */
  readonly setBy: string | undefined
  /** `agent support`, `parent agent lead`: how sentences name it. */
  readonly label: string
  readonly grants: CompiledLevel
  /** Who holds the grant of this pattern, for explain. */
  readonly sourcesOf: (kind: 'allow' | 'deny', pattern: string) => readonly string[]
  readonly hooks: CompiledConfirmRules
  readonly autonomy: Autonomy
  readonly isMemoryOn: boolean
  readonly isKnowledgeOn: boolean
  /** Undefined when the agent has no role of its own. */
  readonly permissions: PermissionSet | undefined
  readonly settingsOf: (tool: NamedTool) => ToolSettings
}

/** The hook pattern that fits a tool, if one does. */
export interface CompiledConfirmRules {
  readonly confirm: (tool: NamedTool) => string | undefined
  readonly log: (tool: NamedTool) => string | undefined
}

/** Compiles what an agent says. Never throws: grants that can't be read close, hooks ask. */
export function compileAgent(
  agent: AgentPolicy,
  label: string,
  vocabulary: Vocabulary & { readonly tenant: string },
): AgentRules {
  return {
    slug: agent.slug,
    tenant: vocabulary.tenant,
    setBy: agent.setBy,
    label,
    grants: compileStoredLevel(grantsOf(agent).rules, vocabulary),
    sourcesOf: (kind, pattern) => grantsOf(agent).sources.get(`${kind} ${pattern}`) ?? [],
    hooks: compileConfirmRules(agent.hooks, vocabulary.groups),
    autonomy: agent.autonomy,
    isMemoryOn: agent.memoryEnabled,
    isKnowledgeOn: agent.knowledgeEnabled,
    permissions: agent.permissions && compilePermissions(agent.permissions),
    settingsOf: (tool) => findSettings(agent.settings, tool),
  }
}

/** By identity, so that an agent's pattern lists stay the same arrays and are compiled once. */
const grantsOf = cacheByIdentity(({ profile, grants, closed }: AgentPolicy) => ({
  rules: { ...toLevelRules(profile, grants), closed },
  sources: new Map(grants.map(({ kind, pattern, sources }) => [`${kind} ${pattern}`, sources])),
}))

function compileConfirmRules(hooks: ConfirmRules, groups: Groups): CompiledConfirmRules {
  try {
    const confirm = compilePatterns(hooks.confirm, groups)
    const log = compilePatterns(hooks.log, groups)
    // `silent` is what happens anyway, so it is only read to find out whether it is well formed.
    compilePatterns(hooks.silent, groups)
    return { confirm: confirm.findUnderAnyName, log: log.findUnderAnyName }
  } catch (error) {
    if (!isToolError(error)) throw error
    const unreadable = () => `* (its hooks can't be read: ${error.message})`
    return { confirm: unreadable, log: unreadable }
  }
}

/** What counts for a tool without an agent, or of which its agent says nothing. */
export const noSettings: ToolSettings = Object.freeze({})

/** What is said of the tool under any name it has or had; the strictest word holds. */
function findSettings(all: AgentPolicy['settings'], tool: NamedTool): ToolSettings {
  const own = Object.hasOwn(all, tool.name) ? all[tool.name] : undefined
  if (tool.aliases === undefined || tool.aliases.length === 0) return own ?? noSettings
  const older = tool.aliases.flatMap((name) => (Object.hasOwn(all, name) ? (all[name] ?? []) : []))
  const said = [...(own === undefined ? [] : [own]), ...older]
  return {
    ...own,
    ...(said.some((settings) => settings.enabled === false) && { enabled: false }),
    ...(said.some((settings) => settings.needsApproval === true) && { needsApproval: true }),
  }
}
