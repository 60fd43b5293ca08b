import type { AgentRules } from '../agent-rules.ts'
import { toAgentChange } from '../changes.ts'
import { compileScope, toNamed } from '../compiled-scope.ts'
import type { LayerVerdict, PolicyTool, Scope } from '../scope.ts'
import { hide, pass } from './verdicts.ts'

/** Memory and knowledge tools are visible only if every agent of the chain has them enabled. */
export function flagsLayer(tool: PolicyTool, scope: Scope): LayerVerdict {
  const { chain, isMemoryTool, isKnowledgeTool } = compileScope(scope)
  for (const agent of chain) {
    if (!agent.isMemoryOn && isMemoryTool(toNamed(tool))) return off('memory', agent)
    if (!agent.isKnowledgeOn && isKnowledgeTool(toNamed(tool))) return off('knowledge', agent)
  }
  return pass('flags', 'no flag hides the tool')
}

function off(what: 'memory' | 'knowledge', agent: AgentRules): LayerVerdict {
  return hide('flags', `${what} is off for ${agent.label}`, {
    setBy: agent.setBy,
    fix: `set ${what}Enabled for agent ${agent.slug}`,
    change: toAgentChange(agent, `${what}Enabled`),
  })
}
