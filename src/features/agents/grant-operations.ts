import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import {
  addGrant as add,
  dropSource,
  removeGrant as remove,
  turnOffTool as turnOff,
} from '../../core/policy/grants.ts'
import { compilePattern } from '../../core/patterns/patterns.ts'
import type { Grant } from '../../core/policy/scope.ts'
import { agentNotFound } from '../../core/rules/agent-not-found.ts'
import { readAgentPolicy, readGrants } from '../../core/rules/read-rules.ts'
import type { RuleDraft } from '../../core/rules/rule-store.ts'
import { toolsOf } from '../../core/rules/tools-of.ts'
import { draftGrants } from './draft-grants.ts'
import type { AgentParts } from './parts.ts'
import { afterChange } from './read-agent.ts'
import { agent, grantRequest, type Agent, type GrantRequest } from './schemas.ts'

const define = operationsOf<AgentParts>('Agents')
const params = { slug: 'The slug of the agent' }
const asAgent = { description: 'The agent', schema: agent }

const addGrant = define({
  http: 'POST /api/v1/agents/{slug}/grants',
  summary: 'Grant or deny a pattern',
  description: 'Their source is `manual`. Adding a grant twice has no further effect.',
  needs: 'agents.manage',
  agents: 'none',
  params,
  body: grantRequest,
  answer: asAgent,
  async run({ slug, ...grant }, { caller, parts }) {
    compilePattern(grant.pattern, (await parts.rules.findWords(caller.tenant)).groups)
    return changeGrants({ caller, slug }, parts, (draft) =>
      draftGrants(draft, slug, (grants) => add(grants, grant, 'manual')),
    )
  },
})

const removeGrant = define({
  http: 'DELETE /api/v1/agents/{slug}/grants',
  summary: 'Remove a grant',
  description: 'Refused while a skill holds it, and if the configuration declares it.',
  needs: 'agents.manage',
  agents: 'none',
  params,
  query: grantRequest,
  answer: asAgent,
  run: ({ slug, ...grant }, { caller, parts }) =>
    changeGrants({ caller, slug }, parts, (draft, known) => {
      refuseMissing(known, grant)
      return draftGrants(draft, slug, (grants) => remove(grants, grant))
    }),
})

const turnOffTool = define({
  http: 'DELETE /api/v1/agents/{slug}/tools/{name}',
  summary: 'Turn off one tool for an agent',
  description: 'Removes its own grant; if a wider grant remains, adds a deny.',
  needs: 'agents.manage',
  agents: 'none',
  params: { ...params, name: 'The name of the tool' },
  answer: asAgent,
  async run({ slug, name }, { caller, parts }) {
    const words = await parts.rules.findWords(caller.tenant)
    return changeGrants({ caller, slug }, parts, (draft, known) => {
      const entry = toolsOf(parts.registry, caller.tenant).find(name)
      if (entry === undefined) throw noTool(name)
      // The grants of an unreadable agent are unknown, and those written here would replace them.
      if (known.closed !== undefined) throw closedAgent(slug, known.closed)
      const wanted = turnOff(known, entry.contract, words)
      // Grants of the configuration are kept there; only the others are stored here.
      return draftGrants(draft, slug, () => dropSource(wanted, 'global'))
    })
  },
})

/** Grants of agents, including declared ones. Grants added here have the source `manual`. */
export const grantOperations = { addGrant, removeGrant, turnOffTool }

async function changeGrants(
  { caller, slug }: { caller: Caller; slug: string },
  parts: AgentParts,
  work: (draft: RuleDraft, agent: KnownAgent) => Promise<void>,
): Promise<Agent> {
  const words = await parts.rules.findWords(caller.tenant)
  await parts.store.rules.change(caller.tenant, caller.principal, async (draft) => {
    const rule = await draft.find('agent', slug)
    if (rule === undefined) throw agentNotFound(slug)
    const stored = await draft.find('grants', slug)
    const { profile, grants, closed } = readAgentPolicy({ agent: rule, grants: stored }, words)
    const added = stored === undefined ? [] : (readGrants(stored) ?? [])
    await work(draft, { slug, added, profile, grants, isDeclared: rule.isDeclared, closed })
  })
  return afterChange(parts, caller, slug)
}

interface KnownAgent {
  slug: string
  /** The added grants, and all grants of the agent. */
  added: readonly Grant[]
  grants: readonly Grant[]
  profile?: string | undefined
  isDeclared: boolean
  /** Why it gets no tools. */
  closed?: string | undefined
}

function refuseMissing({ slug, added, grants }: KnownAgent, wanted: GrantRequest): void {
  const isSame = (grant: Grant) => grant.pattern === wanted.pattern && grant.kind === wanted.kind
  if (added.some(isSame)) return
  if (grants.some(isSame)) {
    throw new ToolError(
      'conflict',
      `${wanted.pattern} of agent ${slug} is declared in the configuration`,
      { fix: `Change it there, or add a deny: toolcrib agents deny ${slug} ${wanted.pattern}` },
    )
  }
  throw new ToolError(
    'not_found',
    `Agent ${slug} has no ${wanted.kind} for ${JSON.stringify(wanted.pattern.slice(0, 200))}`,
    { fix: `toolcrib agents show ${slug} lists its grants.` },
  )
}

function closedAgent(slug: string, why: string): ToolError {
  return new ToolError('conflict', `Agent ${slug} gets no tools: ${why}`, {
    fix: `Fix that first, or add a deny: toolcrib agents deny ${slug} TOOL`,
  })
}

function noTool(name: string): ToolError {
  return new ToolError('not_found', `No tool is called ${JSON.stringify(name.slice(0, 200))}`, {
    fix: 'toolcrib tools lists the tools.',
  })
}
