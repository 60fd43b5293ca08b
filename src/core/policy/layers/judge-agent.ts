import type { AgentRules } from '../agent-rules.ts'
import { declaredBy, toAgentChange, toGrant, toUngrant } from '../changes.ts'
import { judgeLevel, type LevelFinding } from '../level.ts'
import type { NamedTool } from '../../patterns/patterns.ts'
import type { LayerVerdict } from '../scope.ts'

/** Whether an agent has a tool, with the reason. */
export type AgentVerdict = Omit<LayerVerdict, 'layer'>

/** Evaluates an agent's settings and grants; the same for the caller and for every parent agent. */
export function judgeAgent(agent: AgentRules, tool: NamedTool): AgentVerdict {
  if (agent.settingsOf(tool).enabled === false) {
    return {
      passes: false,
      reason: `${agent.label} has ${tool.name} switched off in its settings`,
      setBy: agent.setBy,
      fix: `switch ${tool.name} on in the settings of agent ${agent.slug}`,
      change: toAgentChange(agent, `settings["${tool.name}"].enabled`),
    }
  }
  const finding = judgeLevel(agent.grants, tool)
  return finding.passes ? describePass(agent, finding) : describeStop(agent, tool, finding)
}

function describePass(
  agent: AgentRules,
  finding: LevelFinding & { passes: true },
): AgentVerdict & { passes: true } {
  const { label, setBy } = agent
  if (finding.by === 'allow') {
    const sources = agent.sourcesOf('allow', finding.pattern)
    return {
      passes: true,
      reason: `${label} is granted ${withSources(finding.pattern, sources)}`,
      setBy: toSetBy(agent, sources),
    }
  }
  if (finding.by === 'open') {
    return { passes: true, reason: 'it adds nothing to the tools the caller sees anyway', setBy }
  }
  const profile = agent.grants.profile?.name
  return { passes: true, reason: `profile ${profile} of ${label} allows ${finding.pattern}`, setBy }
}

function describeStop(
  agent: AgentRules,
  tool: NamedTool,
  finding: LevelFinding & { passes: false },
): AgentVerdict {
  const { label, slug, setBy } = agent
  const profile = agent.grants.profile?.name
  switch (finding.by) {
    case 'deny': {
      const sources = agent.sourcesOf('deny', finding.pattern)
      const denied = `denied ${withSources(finding.pattern, sources)}`
      return {
        passes: false,
        reason: `${label} is ${denied}${despite(agent, finding)}`,
        setBy: toSetBy(agent, sources),
        fix: `remove the deny of ${finding.pattern} from agent ${slug}`,
        change: toUngrant(agent, finding.pattern, sources),
      }
    }
    case 'profile-deny':
      return {
        passes: false,
        reason: `profile ${profile} of ${label} denies ${finding.pattern}${overruled(finding)}`,
        setBy,
        fix: `give agent ${slug} a different profile`,
        change: toAgentChange(agent, 'tools.profile'),
      }
    case 'closed':
      return {
        passes: false,
        reason: `the grants of ${label} can't be read, so it gets nothing: ${finding.why}`,
        setBy,
        fix: `fix the grants of agent ${slug}`,
        change: toAgentChange(agent, 'tools'),
      }
    default:
      return {
        passes: false,
        reason: `${label} has no grant for ${tool.name}`,
        setBy,
        fix: `grant ${tool.name} to agent ${slug}`,
        change: toGrant(agent, tool.name),
      }
  }
}

/** For contradictory grants both are named, so that it is clear why the allow has no effect. */
function despite(agent: AgentRules, { despite: pattern }: { despite?: string }): string {
  if (pattern === undefined) return ''
  const sources = agent.sourcesOf('allow', pattern)
  return `; it is granted ${withSources(pattern, sources)}, but deny wins`
}

function overruled({ despite: pattern }: { despite?: string }): string {
  return pattern === undefined ? '' : `; ${pattern} is allowed, but deny wins`
}

function withSources(pattern: string, sources: readonly string[]): string {
  return sources.length === 0 ? pattern : `${pattern} (${sources.join(', ')})`
}

/** Grants of a skill or configuration have that author; the others were set with the agent. */
function toSetBy({ setBy }: AgentRules, sources: readonly string[]): string | undefined {
  if (!sources.some((source) => source.startsWith('skill:'))) {
    return sources.includes('global') ? declaredBy : setBy
  }
  const skills = sources.filter((source) => source.startsWith('skill:'))
  return skills.map((skill) => skill.replace(':', ' ')).join(', ')
}
