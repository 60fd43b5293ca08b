import { ToolError } from '../kernel/errors.ts'
import { compileStoredLevel, judgeLevel, type LevelRules, type Vocabulary } from './level.ts'
import { compilePattern, type NamedTool } from '../patterns/patterns.ts'
import type { AgentPolicy, Grant } from './scope.ts'

/** Identifies a grant: the same pattern may be allowed and denied by different sources. */
export type GrantKey = Pick<Grant, 'pattern' | 'kind'>

/** Adds a source to a grant, creating it if necessary. Idempotent. */
export function addGrant(grants: readonly Grant[], key: GrantKey, source: string): Grant[] {
  const isThere = grants.some((grant) => isSame(grant, key))
  if (!isThere) return [...grants, { pattern: key.pattern, kind: key.kind, sources: [source] }]
  return grants.map((grant) =>
    isSame(grant, key)
      ? { ...grant, sources: [...new Set([...grant.sources, source])].toSorted() }
      : grant,
  )
}

/** Removes one source from a grant. The grant disappears with its last source. */
export function dropGrantSource(grants: readonly Grant[], key: GrantKey, source: string): Grant[] {
  return grants.flatMap((grant) => (isSame(grant, key) ? withoutSource(grant, source) : [grant]))
}

/** Removes a source from every grant: when a skill is removed or configuration is reloaded. */
export function dropSource(grants: readonly Grant[], source: string): Grant[] {
  return grants.flatMap((grant) => withoutSource(grant, source))
}

/** Removes a grant with all its sources. Refused, with the skill's name, if a skill holds it. */
export function removeGrant(grants: readonly Grant[], key: GrantKey): Grant[] {
  const held = grants.filter((grant) => isSame(grant, key))
  refuseHeldBySkill(key.pattern, held)
  return grants.filter((grant) => !isSame(grant, key))
}

/**
 * Turns off one tool manually. Refused if a skill grants it, also through a wider pattern. Manual
 * grants of this tool alone are removed; if the agent may still use it, a deny is added.
 */
export function turnOffTool(
  agent: Pick<AgentPolicy, 'profile' | 'grants'>,
  tool: NamedTool,
  vocabulary: Vocabulary,
): Grant[] {
  const allowing = agent.grants.filter(
    (grant) => grant.kind === 'allow' && compilePattern(grant.pattern, vocabulary.groups)(tool),
  )
  refuseHeldBySkill(tool.name, allowing)
  const key = { pattern: tool.name, kind: 'allow' } as const
  const grants = dropGrantSource(agent.grants, key, 'manual')
  const level = compileStoredLevel(toLevelRules(agent.profile, grants), vocabulary)
  if (!judgeLevel(level, tool).passes) return grants
  return addGrant(grants, { pattern: tool.name, kind: 'deny' }, 'manual')
}

/** The grants for `tools: { allow, deny }` of a configured agent. */
export function toGrants(
  spec: { readonly allow?: readonly string[]; readonly deny?: readonly string[] },
  source = 'global',
): Grant[] {
  const toAll = (patterns: readonly string[] | undefined, kind: Grant['kind']): Grant[] =>
    [...new Set(patterns)].map((pattern) => ({ pattern, kind, sources: [source] }))
  return [...toAll(spec.allow, 'allow'), ...toAll(spec.deny, 'deny')]
}

/** An agent's grants as a level: nothing named, nothing granted; no source, no grant. */
export function toLevelRules(profile: string | undefined, grants: readonly Grant[]): LevelRules {
  const live = grants.filter((grant) => grant.sources.length > 0)
  const patterns = (kind: Grant['kind']) =>
    live.filter((grant) => grant.kind === kind).map((grant) => grant.pattern)
  return { profile, allow: patterns('allow'), deny: patterns('deny'), whenEmpty: 'nothing' }
}

function withoutSource(grant: Grant, source: string): Grant[] {
  const sources = grant.sources.filter((held) => held !== source)
  if (sources.length === 0) return []
  return [sources.length === grant.sources.length ? grant : { ...grant, sources }]
}

function isSame(grant: Grant, key: GrantKey): boolean {
  return grant.pattern === key.pattern && grant.kind === key.kind
}

function refuseHeldBySkill(what: string, held: readonly Grant[]): void {
  const sources = held.flatMap((grant) => grant.sources)
  const skills = [...new Set(sources.filter((source) => source.startsWith('skill:')))]
    .map((source) => source.slice('skill:'.length))
    .toSorted()
  if (skills.length === 0) return
  const noun = skills.length === 1 ? 'skill' : 'skills'
  throw new ToolError('forbidden', `${what} is held by the ${noun} ${skills.join(', ')}`, {
    fix: `Disable the ${noun} for the agent first: toolcrib skills disable ${skills[0]} --agent AGENT.`,
    details: { skills },
  })
}
