import type { AgentRules } from '../agent-rules.ts'
import { judgeLevel, type LevelFinding } from '../level.ts'
import type { NamedTool } from '../patterns.ts'

/** Whether an agent was given a tool, in words. */
export interface AgentVerdict {
  passes: boolean
  reason: string
  fix?: string
}

/** Reads an agent's settings and grants; the same for the caller and for every agent above it. */
export function judgeAgent(agent: AgentRules, tool: NamedTool): AgentVerdict {
  if (agent.settingsOf(tool).enabled === false) {
    return {
      passes: false,
      reason: `${agent.label} has ${tool.name} switched off in its settings`,
      fix: `switch ${tool.name} on in the settings of agent ${agent.slug}`,
    }
  }
  return describe(agent, tool, judgeLevel(agent.grants, tool))
}

function describe(agent: AgentRules, tool: NamedTool, finding: LevelFinding): AgentVerdict {
  const { label, slug } = agent
  const profile = agent.grants.profile?.name
  const { passes } = finding
  switch (finding.by) {
    case 'allow':
      return {
        passes,
        reason: `${label} is granted ${withSources(agent, 'allow', finding.pattern)}`,
      }
    case 'profile-allow':
      return { passes, reason: `profile ${profile} of ${label} allows ${finding.pattern}` }
    case 'deny':
      return {
        passes,
        reason: `${label} is denied ${withSources(agent, 'deny', finding.pattern)}`,
        fix: `remove the deny of ${finding.pattern} from agent ${slug}`,
      }
    case 'profile-deny':
      return {
        passes,
        reason: `profile ${profile} of ${label} denies ${finding.pattern}`,
        fix: `give agent ${slug} another profile`,
      }
    case 'closed':
      return {
        passes,
        reason: `the grants of ${label} can't be read, so it gets nothing: ${finding.why}`,
        fix: `mend the grants of agent ${slug}`,
      }
    default:
      return {
        passes,
        reason: `${label} has no grant for ${tool.name}`,
        fix: `grant ${tool.name} to agent ${slug}`,
      }
  }
}

function withSources(agent: AgentRules, kind: 'allow' | 'deny', pattern: string): string {
  return `${pattern} (${agent.sourcesOf(kind, pattern).join(', ')})`
}
