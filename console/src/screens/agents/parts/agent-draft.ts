import type { Api } from '../../../api/client.ts'
import type { Agent } from './agent-queries.ts'

/** The rules of an agent while they are edited. */
export interface AgentDraft {
  profile: string | null
  allow: string[]
  deny: string[]
  confirm: string[]
  log: string[]
  silent: string[]
  autonomy: Agent['autonomy']
}

export function toDraft({ tools, hooks, autonomy }: Agent): AgentDraft {
  return {
    profile: tools.profile ?? null,
    allow: tools.allow,
    deny: tools.deny,
    ...hooks,
    autonomy,
  }
}

/** Only the fields that differ: omitted fields are unchanged. */
export function toChange(agent: Agent, draft: AgentDraft): Api<'AgentChange'> {
  const before = toDraft(agent)
  const tools = {
    ...(draft.profile !== before.profile && { profile: draft.profile }),
    ...(!isSame(draft.allow, before.allow) && { allow: draft.allow }),
    ...(!isSame(draft.deny, before.deny) && { deny: draft.deny }),
  }
  const { confirm, log, silent } = draft
  const hasHooks = (['confirm', 'log', 'silent'] as const).some(
    (key) => !isSame(draft[key], before[key]),
  )
  return {
    ...(Object.keys(tools).length > 0 && { tools }),
    // Hooks are replaced as a whole.
    ...(hasHooks && { hooks: { confirm, log, silent } }),
    ...(draft.autonomy !== before.autonomy && { autonomy: draft.autonomy }),
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((pattern, index) => pattern === other[index])
}
