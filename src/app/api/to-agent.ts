import type { Vocabulary } from '../../core/policy/level.ts'
import type { Grant } from '../../core/policy/scope.ts'
import type { Agent, AgentSummary, Provenance } from '../../core/rules/governance-api.ts'
import { agentSchema } from '../../core/rules/rule-schemas.ts'
import type { Rule } from '../../core/rules/rule-store.ts'
import { findIdlePatterns } from '../../core/policy/idle-patterns.ts'
import { readAgentPolicy } from '../governance/read-rules.ts'
import type { AgentView } from '../governance/tenant-views.ts'
import type { TenantTools } from '../governance/tools-of.ts'
import { findSettingIssues } from './check-agent.ts'

/** Who wrote a rule last. */
export function toProvenance({ isDeclared, version, updatedAt, updatedBy }: Rule): Provenance {
  return { isDeclared, version, updatedAt, updatedBy }
}

/** An agent as a list shows it; one that can't be read says so. */
export function toAgentSummary(rule: Rule): AgentSummary {
  const parsed = agentSchema.safeParse(rule.body)
  const closed = 'It is stored in a form that is not known, so it gets no tools'
  if (!parsed.success) {
    const unknown = { model: '', autonomy: 'conservative', closed } as const
    return { slug: rule.name, ...unknown, ...toProvenance(rule) }
  }
  const { name, model, autonomy } = parsed.data
  const named = name === undefined ? {} : { name }
  return { slug: rule.name, ...named, model, autonomy, ...toProvenance(rule) }
}

interface Surroundings {
  words: Vocabulary
  tools: TenantTools
  /** Enabled skills, those of the agent among them. */
  skills: readonly Rule[]
}

/** One agent, whole. */
export function toAgent(view: AgentView, { words, tools, skills }: Surroundings): Agent {
  const { agent } = view
  const stored = agentSchema.safeParse(agent.body)
  const spec = stored.success ? stored.data : agentSchema.parse({ slug: agent.name })
  const { grants, closed } = readAgentPolicy(view, words)
  const patterns = (kind: Grant['kind']) =>
    grants
      .filter((one) => one.kind === kind && one.sources.some((source) => !isSkill(source)))
      .map(({ pattern }) => pattern)
  return {
    ...spec,
    ...toAgentSummary(agent),
    ...(closed !== undefined && { closed }),
    tools: { ...spec.tools, allow: patterns('allow'), deny: patterns('deny') },
    grants,
    skills: skills.flatMap((rule) => toEnabled(rule, agent.name)),
    warnings: [
      ...findSettingIssues(spec, tools).map(({ message }) => message),
      ...findIdlePatterns(
        [
          ...grants.map(({ kind, pattern }) => ({ where: kind, patterns: [pattern] })),
          ...Object.entries(spec.hooks).map(([hook, all]) => ({
            where: `hooks.${hook}`,
            patterns: all,
          })),
        ],
        { groups: words.groups, tools: tools.list().map(({ contract }) => contract) },
      ),
    ],
  }
}

function isSkill(source: string): boolean {
  return source.startsWith('skill:')
}

function toEnabled({ name, body }: Rule, slug: string): { name: string; version: string }[] {
  if (!name.startsWith(`${slug}/`)) return []
  const version = typeof body === 'object' && body !== null && 'version' in body ? body.version : ''
  return [
    { name: name.slice(slug.length + 1), version: typeof version === 'string' ? version : '' },
  ]
}
