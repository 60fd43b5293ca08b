import { grantsSchema } from '../../core/rules/rule-schemas.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { addGrant, dropGrantSource } from '../../core/policy/grants.ts'
import type { Grant } from '../../core/policy/scope.ts'
import type { RuleDraft } from '../../core/rules/rule-store.ts'
import { readGrants } from '../../core/rules/read-rules.ts'

/** Changes the grants added to an agent, and records the difference. */
export async function draftGrants(
  draft: RuleDraft,
  slug: string,
  change: (grants: readonly Grant[]) => Grant[],
): Promise<void> {
  const rule = await draft.find('grants', slug)
  const before = rule === undefined ? [] : readGrants(rule)
  if (before === undefined) {
    throw new ToolError('conflict', `The stored grants of agent ${slug} can't be read`, {
      fix: `Delete the agent and create it again, or repair its grants in the store.`,
    })
  }
  const after = change(before)
  const body = after.map((grant) => ({ ...grant, sources: [...grant.sources] }))
  // Grants that can't be read back would deny the agent everything, and nobody could repair it.
  if (!grantsSchema.safeParse(body).success) throw tooMany(slug, after.length)
  if (after.length === 0) await draft.delete('grants', slug)
  else await draft.put('grants', slug, { body })
  const [held, holds] = [toHoldings(before), toHoldings(after)]
  for (const [key, fact] of holds) {
    if (!held.has(key)) draft.tell('grant.added', { agent: slug, ...fact })
  }
  for (const [key, fact] of held) {
    if (!holds.has(key)) draft.tell('grant.removed', { agent: slug, ...fact })
  }
}

function tooMany(slug: string, count: number): ToolError {
  return new ToolError('quota_exceeded', `${count} grants are too many for agent ${slug}`, {
    fix: 'Use a pattern such as billing.* or a group instead of single tools.',
  })
}

interface Holding {
  pattern: string
  kind: Grant['kind']
  source: string
}

function toHoldings(grants: readonly Grant[]): Map<string, Holding> {
  return new Map(
    grants.flatMap(({ pattern, kind, sources }) =>
      sources.map((source): [string, Holding] => [
        [kind, pattern, source].join('\n'),
        { pattern, kind, source },
      ]),
    ),
  )
}

/** Replaces the manual grants with these, if given; grants from other sources stay. */
export function setManualGrants(
  grants: readonly Grant[],
  tools: { allow?: readonly string[]; deny?: readonly string[] },
): Grant[] {
  let changed = [...grants]
  for (const kind of ['allow', 'deny'] as const) {
    const wanted = tools[kind]
    if (wanted === undefined) continue
    for (const grant of changed.filter((one) => one.kind === kind)) {
      if (!wanted.includes(grant.pattern)) changed = dropGrantSource(changed, grant, 'manual')
    }
    for (const pattern of wanted) changed = addGrant(changed, { pattern, kind }, 'manual')
  }
  return changed
}
