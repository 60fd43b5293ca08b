import type { Caller } from '../../core/call.ts'
import { ToolError } from '../../core/errors.ts'
import { addGrant, dropSource, removeGrant, turnOffTool } from '../../core/policy/grants.ts'
import { compilePattern } from '../../core/policy/patterns.ts'
import type { Grant } from '../../core/policy/scope.ts'
import type { Agent, GovernanceApi, GrantRequest } from '../../core/rules/governance-api.ts'
import type { RuleDraft } from '../../core/rules/rule-store.ts'
import { readAgentPolicy, readGrants } from '../governance/read-rules.ts'
import { toolsOf } from '../governance/tools-of.ts'
import { afterChange, type AgentAccessOptions, noAgent, wordsOf } from './agent-access.ts'
import { draftGrants } from './draft-grants.ts'
import { requireManager } from '../../core/operations/require-permission.ts'

type GrantAccess = Pick<GovernanceApi, 'addGrant' | 'removeGrant' | 'turnOffTool'>

/** Grants of agents, declared ones included: what is added here is held by hand. */
export function createGrantAccess(options: AgentAccessOptions): GrantAccess {
  const { store, registry } = options
  async function change(
    caller: Caller,
    slug: string,
    work: (draft: RuleDraft, agent: KnownAgent) => Promise<void>,
  ): Promise<Agent> {
    requireManager(caller, ['agents.manage'])
    const words = await wordsOf(options, caller)
    await store.rules.change(caller.tenant, caller.principal, async (draft) => {
      const agent = await draft.find('agent', slug)
      if (agent === undefined) throw noAgent(slug)
      const rule = await draft.find('grants', slug)
      const policy = readAgentPolicy({ agent, grants: rule }, words)
      const added = rule === undefined ? [] : (readGrants(rule) ?? [])
      const { profile, grants } = policy
      const { isDeclared } = agent
      await work(draft, { slug, added, profile, grants, isDeclared, closed: policy.closed })
    })
    return afterChange(options, caller, slug)
  }
  return {
    async addGrant(caller, slug, grant) {
      const { groups } = await wordsOf(options, caller)
      compilePattern(grant.pattern, groups)
      return change(caller, slug, (draft) =>
        draftGrants(draft, slug, (grants) => addGrant(grants, grant, 'manual')),
      )
    },
    async removeGrant(caller, slug, grant) {
      return change(caller, slug, (draft, agent) => {
        refuseMissing(agent, grant)
        return draftGrants(draft, slug, (grants) => removeGrant(grants, grant))
      })
    },
    async turnOffTool(caller, slug, name) {
      const words = await wordsOf(options, caller)
      return change(caller, slug, (draft, agent) => {
        const entry = toolsOf(registry, caller.tenant).find(name)
        if (entry === undefined) throw noTool(name)
        // Of a closed agent no grants are known, and what is written is all it will have.
        if (agent.closed !== undefined) throw closedAgent(slug, agent.closed)
        const wanted = turnOffTool(agent, entry.contract, words)
        // What configuration holds is its own; only what is held otherwise is kept here.
        return draftGrants(draft, slug, () => dropSource(wanted, 'global'))
      })
    },
  }
}

interface KnownAgent {
  slug: string
  /** What was added to it, and all it has. */
  added: readonly Grant[]
  grants: readonly Grant[]
  profile?: string | undefined
  isDeclared: boolean
  /** Why it gets nothing as it stands. */
  closed?: string | undefined
}

function refuseMissing({ slug, added, grants }: KnownAgent, wanted: GrantRequest): void {
  const isSame = (grant: Grant) => grant.pattern === wanted.pattern && grant.kind === wanted.kind
  if (added.some(isSame)) return
  if (grants.some(isSame)) {
    throw new ToolError(
      'conflict',
      `${wanted.pattern} is declared for agent ${slug} by the configuration`,
      { fix: `Change it there, or add a deny: toolcrib agents deny ${slug} ${wanted.pattern}` },
    )
  }
  throw new ToolError(
    'not_found',
    `Agent ${slug} has no ${wanted.kind} of ${JSON.stringify(wanted.pattern.slice(0, 200))}`,
    { fix: `toolcrib agents show ${slug} lists its grants.` },
  )
}

function closedAgent(slug: string, why: string): ToolError {
  return new ToolError('conflict', `Agent ${slug} gets nothing as it stands: ${why}`, {
    fix: `Mend that first, or add a deny: toolcrib agents deny ${slug} TOOL`,
  })
}

function noTool(name: string): ToolError {
  return new ToolError('not_found', `No tool is called ${JSON.stringify(name.slice(0, 200))}`, {
    fix: 'toolcrib tools lists what is there.',
  })
}
