import { ToolError } from '../kernel/errors.ts'
import { compileStoredLevel, judgeLevel, type LevelRules, type Vocabulary } from './level.ts'
import { compilePattern, type NamedTool } from '../patterns/patterns.ts'
import type { AgentPolicy, Grant } from './scope.ts'

/** Which grant is meant: the same pattern may be allowed and denied by different sources. */
export type GrantKey = Pick<Grant, 'pattern' | 'kind'>

/** Gives a grant one more source; makes it where it was not there. Adding twice is adding once. */
export function addGrant(grants: readonly Grant[], key: GrantKey, source: string): Grant[] {
  const isThere = grants.some((grant) => isSame(grant, key))
  if (!isThere) return [...grants, { pattern: key.pattern, kind: key.kind, sources: [source] }]
  return grants.map((grant) =>
    isSame(grant, key)
      ? { ...grant, sources: [...new Set([...grant.sources, source])].toSorted() }
      : grant,
  )
}

/** Takes one source off one grant. The grant disappears with its last source. */
export function dropGrantSource(grants: readonly Grant[], key: GrantKey, source: string): Grant[] {
  return grants.flatMap((grant) => (isSame(grant, key) ? withoutSource(grant, source) : [grant]))
}

/** Takes a source off every grant: what happens when a skill is removed or configuration is read again. */
export function dropSource(grants: readonly Grant[], source: string): Grant[] {
  return grants.flatMap((grant) => withoutSource(grant, source))
}

/** Takes a grant away whoever holds it, except a skill: then it is refused with the skill's name. */
export function removeGrant(grants: readonly Grant[], key: GrantKey): Grant[] {
  const held = grants.filter((grant) => isSame(grant, key))
  refuseHeldBySkill(key.pattern, held)
  return grants.filter((grant) => !isSame(grant, key))
}

/**
 * Turns one tool off by hand. Refused when a skill holds it, also through a wider pattern. What was
 * allowed by hand for this tool alone goes; where the agent may still use it, a deny is added.
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

/** The grants that `tools: { allow, deny }` of a configured agent stands for. */
export function toGrants(
  spec: { readonly allow?: readonly string[]; readonly deny?: readonly string[] },
  source = 'global',
): Grant[] {
  const toAll = (patterns: readonly string[] | undefined, kind: Grant['kind']): Grant[] =>
    [...new Set(patterns)].map((pattern) => ({ pattern, kind, sources: [source] }))
  return [...toAll(spec.allow, 'allow'), ...toAll(spec.deny, 'deny')]
}

/** An agent's grants read as a level: nothing named, nothing granted; no source, no grant. */
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
    fix: `Take the ${noun} off the agent first: toolcrib skills disable ${skills[0]} --agent AGENT.`,
    details: { skills },
  })
}
