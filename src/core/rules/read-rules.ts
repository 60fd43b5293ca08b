import type { JsonValue } from '../kernel/json.ts'
import { toAgentPolicy } from '../policy/agent-policy.ts'
import { isToolError } from '../kernel/errors.ts'
import { toGrants } from '../policy/grants.ts'
import { parsePolicyLevel } from '../policy/policy-level.ts'
import type { Vocabulary } from '../policy/level.ts'
import type { AgentPolicy, Grant, PackSwitch, PolicyLevel } from '../policy/scope.ts'
import type { ProfileSpec } from '../policy/vocabulary.ts'
import type { Rule } from './rule-store.ts'
import { agentSchema, grantsSchema, patternsSchema, profileSchema } from './rule-schemas.ts'
import type { AgentView, TenantView } from './tenant-view.ts'
import { ownValue } from '../kernel/json/json-type.ts'

/*
 * Parsers of stored rules for policy. None of these throws: an unreadable rule lets nothing through
 * and reports it, because a policy that fails open is worse than none.
 */

/** The author of a rule as text, for explain. */
export function toSetBy({ isDeclared, updatedBy, updatedAt }: Rule): string {
  if (isDeclared) return 'configuration'
  return `${updatedBy.kind}:${updatedBy.id} on ${updatedAt.slice(0, 16).replace('T', ' ')}`
}

/** The grants added to an agent; undefined when they can't be read. */
export function readGrants(rule: Rule): Grant[] | undefined {
  const parsed = grantsSchema.safeParse(rule.body)
  return parsed.success ? parsed.data : undefined
}

/** A stored level. */
export function readLevel(name: string, rule: Rule): PolicyLevel {
  return { ...parsePolicyLevel(name, rule.body), setBy: toSetBy(rule) }
}

/** An agent with all its grants. */
export function readAgentPolicy(
  { agent, grants, hasSkills = false }: AgentView,
  words: Vocabulary,
): AgentPolicy {
  const spec = agentSchema.safeParse(agent.body)
  if (!spec.success) return closedAgent(agent.name, 'it is stored in an unknown format')
  const setBy = toSetBy(agent)
  const own = toGrants(spec.data.tools, agent.isDeclared ? 'global' : 'manual')
  const added = grants === undefined ? [] : readGrants(grants)
  if (added === undefined) return closedAgent(agent.name, "its grants can't be read")
  try {
    const policy = toAgentPolicy(spec.data, words)
    return Object.freeze({ ...policy, setBy, hasSkills, grants: mergeGrants([...own, ...added]) })
  } catch (error) {
    if (!isToolError(error)) throw error
    return closedAgent(agent.name, error.message)
  }
}

function closedAgent(slug: string, closed: string): AgentPolicy {
  const hooks = { confirm: [], log: [], silent: [] }
  const nothing = { grants: [], settings: {}, autonomy: 'conservative', hooks } as const
  return Object.freeze({
    slug,
    ...nothing,
    toolMode: 'list',
    memoryEnabled: false,
    knowledgeEnabled: false,
    closed,
  })
}

/** Merges grants of the same pattern and kind, with all their sources. */
function mergeGrants(grants: readonly Grant[]): Grant[] {
  const merged = new Map<string, Grant>()
  for (const grant of grants) {
    const key = `${grant.kind} ${grant.pattern}`
    const known = merged.get(key)
    const sources = [...new Set([...(known?.sources ?? []), ...grant.sources])].toSorted()
    merged.set(key, { ...grant, sources })
  }
  return [...merged.values()]
}

/** Packs enabled and disabled, by default and by the tenant. An unreadable switch is off. */
export function readPacks(
  everyone: Readonly<Record<string, boolean>>,
  view: TenantView | undefined,
): Record<string, PackSwitch> {
  const own = new Map((view?.rules.get('pack') ?? []).map((rule) => [rule.name, rule]))
  const names = new Set([...Object.keys(everyone), ...own.keys()])
  return Object.fromEntries(
    [...names].map((name) => {
      const rule = own.get(name)
      const word = rule && { tenant: isOn(rule), setBy: toSetBy(rule) }
      return [name, { everyone: ownValue(everyone, name), ...word }]
    }),
  )
}

function isOn({ body }: Rule): boolean {
  return typeof body === 'object' && body !== null && 'isOn' in body && body.isOn === true
}

/**
 * The tenant's own profiles and groups. Unreadable ones are left out: rules that name them deny
 * everything.
 */
export function readWords(view: TenantView | undefined): {
  profiles: Record<string, ProfileSpec>
  groups: Record<string, readonly string[]>
} {
  const profiles = (view?.rules.get('profile') ?? []).flatMap(
    ({ name, body }): [string, ProfileSpec][] => {
      const parsed = profileSchema.safeParse(body)
      return parsed.success ? [[name, parsed.data]] : []
    },
  )
  const groups = (view?.rules.get('group') ?? []).flatMap(
    ({ name, body }): [string, string[]][] => {
      const parsed = patternsSchema.safeParse(body)
      return parsed.success ? [[name, parsed.data]] : []
    },
  )
  return { profiles: Object.fromEntries(profiles), groups: Object.fromEntries(groups) }
}

/** `anthropic` for `anthropic/claude-…`; a model without a slash is its own provider. */
export function providerOf({ body }: Rule): string | undefined {
  const model =
    typeof body === 'object' && body !== null && 'model' in body ? body.model : undefined
  return typeof model === 'string' ? model.split('/')[0] : undefined
}

/** True if grants or settings of an agent name this tool exactly, not by a pattern. */
export function namesTool({ kind, body }: Pick<Rule, 'kind' | 'body'>, tool: string): boolean {
  if (kind === 'grants') {
    const grants = grantsSchema.safeParse(body)
    return grants.success && grants.data.some(({ pattern }) => pattern === tool)
  }
  const settings = settingsIn(body)
  return settings !== undefined && Object.hasOwn(settings, tool)
}

/** The settings of tools in a stored agent. */
export function settingsIn(body: JsonValue): Record<string, JsonValue> | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined
  const settings = body['settings']
  const isRecord = typeof settings === 'object' && settings !== null && !Array.isArray(settings)
  return isRecord ? settings : undefined
}
