import type { Caller } from '../../core/call.ts'
import { ToolError } from '../../core/errors.ts'
import type { JsonValue } from '../../core/json.ts'
import type { Store } from '../../core/ports.ts'
import type { Registry } from '../../core/registry.ts'
import type { Agent, AgentChange, GovernanceApi } from '../../core/rules/governance-api.ts'
import { type AgentSpec, agentSchema } from '../../core/rules/rule-schemas.ts'
import type { Rule, RuleDraft } from '../../core/rules/rule-store.ts'
import type { Config } from '../config-schema.ts'
import { toWords } from '../governance/tenant-scopes.ts'
import type { TenantViews } from '../governance/tenant-views.ts'
import { toolsOf } from '../governance/tools-of.ts'
import { checkAgentSpec } from './check-agent.ts'
import { draftGrants, setManualGrants } from './draft-grants.ts'
import { forgetSkills } from '../skills/enable-skill.ts'
import { removeBelongings } from './agent-belongings.ts'
import { requireManager } from '../../core/operations/require-permission.ts'
import { toAgent, toAgentSummary } from './to-agent.ts'

type AgentAccess = Pick<
  GovernanceApi,
  'listAgents' | 'findAgent' | 'createAgent' | 'changeAgent' | 'deleteAgent'
>

export interface AgentAccessOptions {
  config: Config
  store: Pick<
    Store,
    'now' | 'rules' | 'secrets' | 'approvals' | 'events' | 'keys' | 'conversations'
  >
  registry: Registry
  views: TenantViews
  /** Ends what other features keep for an agent that is gone. */
  dropAgent(caller: Caller, slug: string): Promise<void>
}

/** Agents. What configuration declares is changed there. */
export function createAgentAccess(options: AgentAccessOptions): AgentAccess {
  const { rules } = options.store
  const { registry } = options
  return {
    async listAgents(caller, query) {
      requireManager(caller, ['agents.manage', 'policy.read'])
      const page = await rules.page(caller.tenant, 'agent', query)
      return { ...page, items: page.items.map(toAgentSummary) }
    },
    async findAgent(caller, slug) {
      requireManager(caller, ['agents.manage', 'policy.read'])
      return readAgent(options, caller, slug)
    },
    async createAgent(caller, spec) {
      requireManager(caller, ['agents.manage'])
      checkAgentSpec(spec, {
        words: await wordsOf(options, caller),
        tools: toolsOf(registry, caller.tenant),
      })
      // What an agent of the same name had is not handed to this one. One that was declared has left it.
      const known = await rules.find(caller.tenant, 'agent', spec.slug)
      if (known === undefined) await dropBelongings(options, caller, spec.slug)
      await rules.change(caller.tenant, caller.principal, async (draft) => {
        if ((await draft.find('agent', spec.slug)) !== undefined) throw agentExists(spec.slug)
        await draft.delete('grants', spec.slug)
        await writeAgent(draft, spec, spec.tools)
        draft.tell('agent.created', { agent: spec.slug })
      })
      return afterChange(options, caller, spec.slug)
    },
    async changeAgent(caller, slug, change) {
      requireManager(caller, ['agents.manage'])
      // Before the change begins: inside it nothing else of the store may be waited for.
      const words = await wordsOf(options, caller)
      await rules.change(caller.tenant, caller.principal, async (draft) => {
        const rule = await findChangeable(draft, slug, change.version)
        const spec = applyChange(rule, change)
        const tools = toolsOf(registry, caller.tenant)
        checkAgentSpec(spec, { words, tools, before: settingsOf(rule) })
        await writeAgent(draft, spec, change.tools)
        const parts = Object.keys(change).filter((key) => key !== 'version')
        draft.tell('agent.changed', { agent: slug, parts })
      })
      return afterChange(options, caller, slug)
    },
    async deleteAgent(caller, slug) {
      requireManager(caller, ['agents.manage'])
      await rules.change(caller.tenant, caller.principal, async (draft) => {
        await findChangeable(draft, slug, undefined)
        await removeAgent(draft, slug)
        draft.tell('agent.deleted', { agent: slug })
      })
      // First: its turns say that it is gone when they end with it.
      await options.views.refresh()
      await dropBelongings(options, caller, slug)
    },
  }
}

async function dropBelongings(
  { store, dropAgent }: AgentAccessOptions,
  caller: Caller,
  slug: string,
): Promise<void> {
  await removeBelongings(store, caller, slug)
  await dropAgent(caller, slug)
}

/** One agent as it stands, or not_found. */
export async function readAgent(
  { store, views, ...options }: AgentAccessOptions,
  caller: Caller,
  slug: string,
): Promise<Agent> {
  const [view, skills] = await Promise.all([
    views.find(caller.tenant).then((found) => found?.agent(slug)),
    store.rules.page(caller.tenant, 'enabled-skill', { after: `${slug}/`, limit: 100 }),
  ])
  if (view === undefined) throw noAgent(slug)
  const words = await wordsOf({ views, ...options }, caller)
  return toAgent(view, {
    words,
    skills: skills.items,
    tools: toolsOf(options.registry, caller.tenant),
  })
}

/** As it stands after a change, seen from here at once. */
export async function afterChange(
  options: AgentAccessOptions,
  caller: Caller,
  slug: string,
): Promise<Agent> {
  await options.views.refresh()
  return readAgent(options, caller, slug)
}

/** The profiles and groups that hold in the caller's tenant. */
export async function wordsOf(
  { views, config, registry }: Pick<AgentAccessOptions, 'views' | 'config' | 'registry'>,
  caller: Caller,
) {
  return toWords(await views.find(caller.tenant), config, registry.packs())
}

export function noAgent(slug: string): ToolError {
  return new ToolError(
    'not_found',
    `There is no agent ${JSON.stringify(slug.slice(0, 100))} in this tenant`,
    { fix: 'toolcrib agents lists them.' },
  )
}

function agentExists(slug: string): ToolError {
  return new ToolError('conflict', `There is an agent ${slug} already`, {
    fix: `Change it with PATCH /agents/${slug} or toolcrib agents set ${slug}, or choose another name.`,
  })
}

async function findChangeable(
  draft: RuleDraft,
  slug: string,
  version: number | undefined,
): Promise<Rule> {
  const rule = await draft.find('agent', slug)
  if (rule === undefined) throw noAgent(slug)
  if (rule.isDeclared) {
    throw new ToolError('conflict', `The agent ${slug} is declared by the configuration`, {
      fix: 'Change it there and start again; grants may be added to it with toolcrib agents grant.',
    })
  }
  if (version !== undefined && version !== rule.version) {
    throw new ToolError(
      'conflict',
      `The agent ${slug} was changed meanwhile: it has version ${rule.version}`,
      { fix: 'Read it again, then change what you find.', details: { version: rule.version } },
    )
  }
  return rule
}

/** An agent with a change made to it. One that can't be read is mended by what the change says, on the defaults. */
export function applyChange(rule: Rule, { version: _version, ...change }: AgentChange): AgentSpec {
  const stored = agentSchema.safeParse(rule.body)
  const before = stored.success ? stored.data : agentSchema.parse({ slug: rule.name })
  const { tools, ...rest } = change
  // A null clears: the schema knows what is not there, and no null.
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

/** What a stored agent says of tools. */
export function settingsOf({ body }: Rule): AgentSpec['settings'] {
  return agentSchema.safeParse(body).data?.settings ?? {}
}

/** What is left out stays; null takes it away. */
function changed<T>(before: T | undefined, wanted: T | null | undefined): T | undefined {
  return wanted === null ? undefined : (wanted ?? before)
}

/**
 * Patterns of an agent that was made by hand are grants like those that are added later. Without
 * `tools` they stay as they are: what is stored of the agent names none of them.
 */
async function writeAgent(
  draft: RuleDraft,
  spec: AgentSpec,
  tools: AgentChange['tools'] | undefined,
): Promise<void> {
  const kept = { ...spec, tools: { ...spec.tools, allow: [], deny: [] } }
  await draft.put('agent', spec.slug, { body: JSON.parse(JSON.stringify(kept)) as JsonValue })
  if (tools === undefined) return
  await draftGrants(draft, spec.slug, (grants) => setManualGrants(grants, tools))
}

async function removeAgent(draft: RuleDraft, slug: string): Promise<void> {
  await draft.delete('agent', slug)
  await draft.delete('grants', slug)
  await forgetSkills(draft, slug)
}
