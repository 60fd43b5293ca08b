import { addGrant, dropSource } from '../../core/policy/grants.ts'
import type { Grant } from '../../core/policy/scope.ts'
import { toSkillSource } from './model.ts'
import type { SkillChange } from './schemas.ts'

/** The change of an agent's grants. */
export interface GrantPlan extends Pick<SkillChange, 'grants'> {
  /** The grants beside the agent's own, as they are to be stored. */
  next: Grant[]
  /** Patterns that the skill newly grants, and those it no longer grants; recorded in the event. */
  held: readonly string[]
  released: readonly string[]
}

/**
 * Replaces the skill's previous grants with the tools it requires now; none when it is disabled.
 * Grants that another source also holds stay; `own` are the grants of the agent's own document.
 */
export function planSkillGrants(
  { added, own }: { added: readonly Grant[]; own: readonly Grant[] },
  skill: string,
  tools: readonly string[],
): GrantPlan {
  const source = toSkillSource(skill)
  const before = heldBy(added, source)
  const bare = dropSource(added, source)
  const elsewhere = allowedBy([...bare, ...own])
  const next = tools.reduce<Grant[]>(
    (grants, pattern) => addGrant(grants, { pattern, kind: 'allow' }, source),
    bare,
  )
  const held = tools.filter((pattern) => !before.has(pattern))
  const released = [...before].filter((pattern) => !tools.includes(pattern))
  return {
    next,
    held,
    released,
    grants: {
      added: held.filter((pattern) => !elsewhere.has(pattern)),
      removed: released.filter((pattern) => !elsewhere.has(pattern)),
      kept: released.filter((pattern) => elsewhere.has(pattern)),
    },
  }
}

function heldBy(grants: readonly Grant[], source: string): Set<string> {
  return allowedBy(grants.filter(({ sources }) => sources.includes(source)))
}

function allowedBy(grants: readonly Grant[]): Set<string> {
  return new Set(grants.filter(({ kind }) => kind === 'allow').map(({ pattern }) => pattern))
}
