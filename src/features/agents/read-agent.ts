import type { Caller } from '../../core/kernel/call.ts'
import { findIdlePatterns } from '../../core/policy/idle-patterns.ts'
import type { Vocabulary } from '../../core/policy/level.ts'
import type { Grant } from '../../core/policy/scope.ts'
import { agentNotFound } from '../../core/rules/agent-not-found.ts'
import { readAgentPolicy } from '../../core/rules/read-rules.ts'
import { agentSchema } from '../../core/rules/rule-schemas.ts'
import type { Rule } from '../../core/rules/rule-store.ts'
import type { AgentView } from '../../core/rules/tenant-view.ts'
import { toolsOf, type TenantTools } from '../../core/rules/tools-of.ts'
import { findSettingIssues } from './check-agent.ts'
import type { AgentParts } from './parts.ts'
import type { Agent, AgentSummary, Provenance } from './schemas.ts'

/** One agent as it is now, or not_found. */
export async function readAgent(
  { store, registry, rules }: AgentParts,
  { tenant }: Caller,
  slug: string,
): Promise<Agent> {
  const [view, skills] = await Promise.all([
    rules.findView(tenant).then((found) => found?.agent(slug)),
    store.rules.page(tenant, 'enabled-skill', { after: `${slug}/`, limit: 100 }),
  ])
  if (view === undefined) throw agentNotFound(slug)
  const words = await rules.findWords(tenant)
  return toAgent(view, { words, skills: skills.items, tools: toolsOf(registry, tenant) })
}

/** The agent after a change, as this node now sees it. */
export async function afterChange(parts: AgentParts, caller: Caller, slug: string): Promise<Agent> {
  await parts.rules.refresh()
  return readAgent(parts, caller, slug)
}

/** The last author of a rule. */
export function toProvenance({ isDeclared, version, updatedAt, updatedBy }: Rule): Provenance {
  return { isDeclared, version, updatedAt, updatedBy }
}

/** An agent in a list; an unreadable one is marked. */
export function toAgentSummary(rule: Rule): AgentSummary {
  const parsed = agentSchema.safeParse(rule.body)
  const closed = 'It is stored in an unknown format, so it gets no tools'
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
  /** Enabled skills, also of other agents. */
  skills: readonly Rule[]
}

function toAgent(view: AgentView, { words, tools, skills }: Surroundings): Agent {
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
    grants: grants.map((one) => ({ ...one, sources: [...one.sources] })),
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
