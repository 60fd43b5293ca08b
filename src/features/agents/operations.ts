import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { pageOf } from '../../core/operations/fields.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import { toolsOf } from '../../core/rules/tools-of.ts'
import { removeBelongings } from './belongings.ts'
import { applyChange, findChangeable, removeAgent, settingsOf, writeAgent } from './change-agent.ts'
import { checkAgentSpec } from './check-agent.ts'
import type { AgentParts } from './parts.ts'
import { afterChange, readAgent, toAgentSummary } from './read-agent.ts'
import { agent, agentChange, agentQuery, agentRequest, agentSummary } from './schemas.ts'

const define = operationsOf<AgentParts>('Agents')
const params = { slug: 'The slug of the agent' }
const readers = { oneOf: ['agents.manage', 'policy.read'] } as const
const asAgent = { description: 'The agent', schema: agent }

const listAgents = define({
  http: 'GET /api/v1/agents',
  summary: 'List agents',
  description: 'By slug.',
  needs: readers,
  agents: 'none',
  query: agentQuery,
  answer: { description: 'A page of agents', schema: pageOf(agentSummary) },
  async run(query, { caller, parts }) {
    const page = await parts.store.rules.page(caller.tenant, 'agent', query)
    return { ...page, items: page.items.map(toAgentSummary) }
  },
})

const createAgent = define({
  http: 'POST /api/v1/agents',
  summary: 'Create an agent',
  description: 'Unknown profiles and groups are refused, and so are settings for unknown tools.',
  needs: 'agents.manage',
  agents: 'none',
  body: agentRequest,
  answer: { ...asAgent, status: 201 },
  async run(spec, { caller, parts }) {
    const { tenant, principal } = caller
    const words = await parts.rules.findWords(tenant)
    checkAgentSpec(spec, { words, tools: toolsOf(parts.registry, tenant) })
    // A new agent inherits nothing from an earlier one of the same name, which may have been declared.
    const known = await parts.store.rules.find(tenant, 'agent', spec.slug)
    if (known === undefined) await dropBelongings(parts, caller, spec.slug)
    await parts.store.rules.change(tenant, principal, async (draft) => {
      if ((await draft.find('agent', spec.slug)) !== undefined) throw agentExists(spec.slug)
      await draft.delete('grants', spec.slug)
      await writeAgent(draft, spec, spec.tools)
      draft.tell('agent.created', { agent: spec.slug })
    })
    return afterChange(parts, caller, spec.slug)
  },
})

const findAgent = define({
  http: 'GET /api/v1/agents/{slug}',
  summary: 'Get an agent with its grants',
  needs: readers,
  agents: 'none',
  params,
  answer: asAgent,
  run: ({ slug }, { caller, parts }) => readAgent(parts, caller, slug),
})

const changeAgent = define({
  http: 'PATCH /api/v1/agents/{slug}',
  summary: 'Change an agent',
  description:
    'Omitted fields are unchanged. Agents of the configuration can only be changed there (409).',
  needs: 'agents.manage',
  agents: 'none',
  params,
  body: agentChange,
  answer: asAgent,
  async run({ slug, ...change }, { caller, parts }) {
    const { tenant, principal } = caller
    // Before the change begins, because a change must not wait for other uses of the store.
    const words = await parts.rules.findWords(tenant)
    await parts.store.rules.change(tenant, principal, async (draft) => {
      const rule = await findChangeable(draft, slug, change.version)
      const spec = applyChange(rule, change)
      const tools = toolsOf(parts.registry, tenant)
      checkAgentSpec(spec, { words, tools, before: settingsOf(rule) })
      await writeAgent(draft, spec, change.tools)
      const changed = Object.keys(change).filter((key) => key !== 'version')
      draft.tell('agent.changed', { agent: slug, parts: changed })
    })
    return afterChange(parts, caller, slug)
  },
})

const deleteAgent = define({
  http: 'DELETE /api/v1/agents/{slug}',
  summary: 'Delete an agent',
  description: 'With its grants, skills and secrets. Keys that are bound to it stop working.',
  needs: 'agents.manage',
  agents: 'none',
  params,
  async run({ slug }, { caller, parts }) {
    await parts.store.rules.change(caller.tenant, caller.principal, async (draft) => {
      await findChangeable(draft, slug, undefined)
      await removeAgent(draft, slug)
      draft.tell('agent.deleted', { agent: slug })
    })
    // First, because turns that end now report the deleted agent.
    await parts.rules.refresh()
    await dropBelongings(parts, caller, slug)
  },
})

/** Everything that can be done with agents, by library method. */
export const agentOperations = { listAgents, createAgent, findAgent, changeAgent, deleteAgent }

async function dropBelongings(
  { store, dropAgent }: AgentParts,
  caller: Caller,
  slug: string,
): Promise<void> {
  await removeBelongings(store, caller, slug)
  await dropAgent(caller, slug)
}

function agentExists(slug: string): ToolError {
  return new ToolError('conflict', `The agent ${slug} already exists`, {
    fix: `Change it with PATCH /agents/${slug} or toolcrib agents set ${slug}, or choose another name.`,
  })
}
