import { isToolError } from '../kernel/errors.ts'
import { toLevelRules } from './grants.ts'
import type { ToolGroups } from '../patterns/groups.ts'
import { cacheByIdentity } from '../kernel/identity-cache.ts'
import { type CompiledLevel, compileStoredLevel, type Vocabulary } from './level.ts'
import { compilePatterns, type NamedTool } from '../patterns/patterns.ts'
import { compilePermissions, type PermissionSet } from './permissions.ts'
import type { AgentPolicy, Autonomy, ConfirmRules, ToolSettings } from './scope.ts'

/** A compiled agent; the same shape for the caller and for its parent agents. */
export interface AgentRules {
  readonly slug: string
  readonly tenant: string
  /** The author and time of the last change, as text. */
  readonly setBy: string | undefined
  /** `agent support`, `parent agent lead`: its name in messages. */
  readonly label: string
  readonly grants: CompiledLevel
  /** The sources of the grant of this pattern, for explain. */
  readonly sourcesOf: (kind: 'allow' | 'deny', pattern: string) => readonly string[]
  readonly hooks: CompiledConfirmRules
  readonly autonomy: Autonomy
  readonly isMemoryOn: boolean
  readonly isKnowledgeOn: boolean
  /** Undefined when the agent has no role. */
  readonly permissions: PermissionSet | undefined
  readonly settingsOf: (tool: NamedTool) => ToolSettings
}

/** The hook pattern that matches a tool, if any. */
export interface CompiledConfirmRules {
  readonly confirm: (tool: NamedTool) => string | undefined
  readonly log: (tool: NamedTool) => string | undefined
}

/**
 * Compiles an agent's rules. Never throws: unreadable grants deny everything, unreadable hooks ask.
 */
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

function compileConfirmRules(hooks: ConfirmRules, groups: ToolGroups): CompiledConfirmRules {
  try {
    const confirm = compilePatterns(hooks.confirm, groups)
    const log = compilePatterns(hooks.log, groups)
    // `silent` is the default anyway, so it is compiled only to check that it is valid.
    compilePatterns(hooks.silent, groups)
    return { confirm: confirm.findUnderAnyName, log: log.findUnderAnyName }
  } catch (error) {
    if (!isToolError(error)) throw error
    const unreadable = () => `* (its hooks can't be read: ${error.message})`
    return { confirm: unreadable, log: unreadable }
  }
}

/** The settings of a tool without an agent, or without settings of the agent. */
export const noSettings: ToolSettings = Object.freeze({})

/** The settings for any current or former name of the tool; the strictest applies. */
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
