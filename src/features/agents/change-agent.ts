import { ToolError } from '../../core/kernel/errors.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import { agentNotFound } from '../../core/rules/agent-not-found.ts'
import { type AgentSpec, agentSchema } from '../../core/rules/rule-schemas.ts'
import type { Rule, RuleDraft } from '../../core/rules/rule-store.ts'
import { forgetSkills } from '../skills/enable-skill.ts'
import { draftGrants, setManualGrants } from './draft-grants.ts'
import type { AgentChange } from './schemas.ts'

/** The agent, if it may be changed here; otherwise throws the reason. */
export async function findChangeable(
  draft: RuleDraft,
  slug: string,
  version: number | undefined,
): Promise<Rule> {
  const rule = await draft.find('agent', slug)
  if (rule === undefined) throw agentNotFound(slug)
  if (rule.isDeclared) {
    throw new ToolError('conflict', `The agent ${slug} is declared in the configuration`, {
      fix: 'Change it there and restart; you can add grants with toolcrib agents grant.',
    })
  }
  if (version !== undefined && version !== rule.version) {
    throw new ToolError(
      'conflict',
      `The agent ${slug} has changed: it now has version ${rule.version}`,
      { fix: 'Read it again, then change that version.', details: { version: rule.version } },
    )
  }
  return rule
}

/** An agent with a change applied. One that can't be read gets the defaults and the change. */
export function applyChange(rule: Rule, { version: _version, ...change }: AgentChange): AgentSpec {
  const stored = agentSchema.safeParse(rule.body)
  const before = stored.success ? stored.data : agentSchema.parse({ slug: rule.name })
  const { tools, ...rest } = change
  // The schema allows absent fields but not null.
  const said = Object.entries(rest).map(([key, value]) => [key, value ?? undefined])
  return {
    ...before,
    ...(Object.fromEntries(said) as Partial<AgentSpec>),
    tools: {
      profile: changed(before.tools.profile, tools?.profile),
      allow: tools?.allow?.slice() ?? before.tools.allow,
      deny: tools?.deny?.slice() ?? before.tools.deny,
    },
  }
}

/** The tool settings of a stored agent. */
export function settingsOf({ body }: Rule): AgentSpec['settings'] {
  return agentSchema.safeParse(body).data?.settings ?? {}
}

/** Omitted is unchanged; null clears. */
function changed<T>(before: T | undefined, wanted: T | null | undefined): T | undefined {
  return wanted === null ? undefined : (wanted ?? before)
}

/**
 * Patterns of an agent that was created by hand are kept as grants, like those that are added later.
 * Without `tools` they are unchanged.
 */
export async function writeAgent(
  draft: RuleDraft,
  spec: AgentSpec,
  tools: AgentChange['tools'] | undefined,
): Promise<void> {
  const kept = { ...spec, tools: { ...spec.tools, allow: [], deny: [] } }
  await draft.put('agent', spec.slug, { body: JSON.parse(JSON.stringify(kept)) as JsonValue })
  if (tools === undefined) return
  await draftGrants(draft, spec.slug, (grants) => setManualGrants(grants, tools))
}

/** Deletes an agent with its grants and skills. */
export async function removeAgent(draft: RuleDraft, slug: string): Promise<void> {
  await draft.delete('agent', slug)
  await draft.delete('grants', slug)
  await forgetSkills(draft, slug)
}
