import { type AgentRules, compileAgent } from './agent-rules.ts'
import { isToolError } from '../kernel/errors.ts'
import type { ToolGroups } from '../patterns/groups.ts'
import { cacheByIdentity } from '../kernel/identity-cache.ts'
import { type CompiledLevel, compileStoredLevel } from './level.ts'
import { compilePatterns, type NamedTool } from '../patterns/patterns.ts'
import { compilePermissions, type PermissionSet } from './permissions.ts'
import { toRules } from './policy-level.ts'
import type { PolicyTool, Scope } from './scope.ts'

/** A scope with every pattern compiled; the input of the layers. */
export interface CompiledScope {
  readonly levels: readonly {
    readonly name: string
    readonly setBy: string | undefined
    readonly level: CompiledLevel
  }[]
  readonly agent: AgentRules | undefined
  readonly parents: readonly AgentRules[]
  /** The agent and its parents, nearest first. */
  readonly chain: readonly AgentRules[]
  readonly permissions: PermissionSet
  readonly isMemoryTool: (tool: NamedTool) => boolean
  readonly isKnowledgeTool: (tool: NamedTool) => boolean
}

/** Compiles a scope once, by identity. Never throws: unreadable rules deny everything. */
export const compileScope = cacheByIdentity((scope: Scope): CompiledScope => {
  const agent = scope.agent && compileAgent(scope.agent, `agent ${scope.agent.slug}`, scope)
  const parents = scope.parents.map((parent) =>
    compileAgent(parent, `parent agent ${parent.slug}`, scope),
  )
  return {
    levels: scope.levels.map((level) => ({
      name: level.name,
      setBy: level.setBy,
      level: compileStoredLevel(toRules(level), scope),
    })),
    agent,
    parents,
    chain: agent === undefined ? parents : [agent, ...parents],
    permissions: compilePermissions(scope.permissions),
    isMemoryTool: compileMembership(memoryPatterns, scope.groups),
    isKnowledgeTool: compileMembership(knowledgePatterns, scope.groups),
  }
})

/** A tool with the name and pack that patterns are matched against. */
export function toNamed({ contract, pack }: PolicyTool): NamedTool {
  if (pack === undefined || pack === contract.pack) return contract
  return { name: contract.name, pack, aliases: contract.aliases }
}

const memoryPatterns = ['pack:memory', 'group:memory']
const knowledgePatterns = ['pack:knowledge', 'group:knowledge']

/**
 * An unreadable group contains every tool: a disabled flag then hides too much, never too little.
 */
function compileMembership(patterns: readonly string[], groups: ToolGroups) {
  try {
    const set = compilePatterns(patterns, groups)
    return (tool: NamedTool) => set.findUnderAnyName(tool) !== undefined
  } catch (error) {
    if (!isToolError(error)) throw error
    return () => true
  }
}
