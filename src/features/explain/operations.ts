import { z } from 'zod'
import { ToolError } from '../../core/kernel/errors.ts'
import { pageLimit, pageOf, shortText } from '../../core/operations/fields.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import { holds } from '../../core/operations/require-permission.ts'
import { runtimes } from '../../core/kernel/runtime.ts'
import { fitsWords } from '../../core/search/fits-words.ts'
import { sessionFlag } from '../data-flow/schemas.ts'
import { explainPast } from './explain-past.ts'
import { explainTools } from './explain-tools.ts'
import { countByDecision, listWords, toAgentTool } from './overview.ts'
import type { ExplainParts } from './parts.ts'
import { agentTool, explanation, pastDecision, policyWords, toolDecisions } from './schemas.ts'

const explaining = operationsOf<ExplainParts>('Access')
const total = z.int()

const seeAs = {
  skill: shortText('With this skill of the agent active').optional(),
  runtime: z.enum(runtimes).optional(),
  as: shortText('See as `member:<id>`, `key:<id>` or `role:<name>`').optional(),
  session: shortText('With the flags of this session').optional(),
}

const explain = explaining({
  http: 'GET /api/v1/explain',
  summary: 'Explain why each tool is visible or hidden',
  description:
    "Every tool with every layer's verdict, who made the rule and what would change it; the first layer that stops it decides. Viewing as someone else, or with a session's flags, needs policy.read.",
  needs: { oneOf: ['tools.call', 'policy.read'] },
  agents: 'own',
  query: z.strictObject({
    ...seeAs,
    agent: shortText('See as this agent').optional(),
    tool: shortText('Only this tool').optional(),
  }),
  answer: {
    description: 'The result of each layer',
    schema: z.object({
      items: z.array(explanation),
      flags: z
        .array(sessionFlag)
        .readonly()
        .optional()
        .meta({ description: 'For a session: its flags' }),
    }),
  },
  run: (query, { caller, parts }) => explainTools(caller, query, parts),
})

const explainDecision = explaining({
  http: 'GET /api/v1/explain/{id}',
  summary: 'Explain why a request was refused or how a call was decided',
  description:
    'For the `refusalId` of a `tool_not_found` and for the id of a call: what was decided then, what would be decided now for the same caller, and the difference. Without policy.read it is 404.',
  needs: 'signed-in',
  agents: 'own',
  params: { id: 'ref_… or call_…' },
  answer: { description: 'Then and now', schema: pastDecision },
  async run({ id }, { caller, parts }) {
    // Without permission the caller learns nothing, not even that a refusal exists.
    const past = holds(caller, 'policy.read') ? await explainPast(caller, id, parts) : undefined
    if (past !== undefined) return past
    throw new ToolError(
      'not_found',
      `There is no decision ${JSON.stringify(id.slice(0, 100))} to explain`,
      {
        fix: 'Pass the id of a refusal (ref_…) or a call (call_…). You need the permission policy.read.',
      },
    )
  },
})

const listAgentTools = operationsOf<ExplainParts>('Agents')({
  http: 'GET /api/v1/agents/{slug}/tools',
  summary: 'List the tools of an agent with its access to them',
  description:
    'Includes hidden tools. Each has the first rule that decided. `GET /explain` has every layer. Needs `policy.read`.',
  needs: 'signed-in',
  agents: 'own',
  params: { slug: 'The agent' },
  query: z.strictObject({
    ...seeAs,
    q: shortText('Words of its name or title').optional(),
    decision: z.enum(toolDecisions).optional(),
    after: shortText('The `next` of the previous page').optional(),
    limit: pageLimit(100, 1000),
  }),
  answer: {
    description: 'A page of tools, by name, and their total number',
    schema: pageOf(agentTool).extend({
      counts: z.object({ all: total, allow: total, ask: total, hidden: total }),
    }),
  },
  async run({ slug, q, decision, after, limit, ...as }, { caller, parts }) {
    // Refuses callers who may not see this agent.
    const { items: explained } = await explainTools(caller, { ...as, agent: slug }, parts)
    const found = explained.flatMap((one) => {
      const entry = parts.registry.find(one.tool, caller.tenant)
      const tool = entry && toAgentTool(one, entry)
      return tool !== undefined && fitsWords(q, [tool.tool, tool.title]) ? [tool] : []
    })
    const chosen = found.filter(
      (tool) =>
        (decision === undefined || tool.decision === decision) &&
        (after === undefined || tool.tool > after),
    )
    const items = chosen.slice(0, limit)
    const next = chosen.length > limit ? items.at(-1)?.tool : undefined
    return { items, ...(next !== undefined && { next }), counts: countByDecision(found) }
  },
})

const readPolicyWords = operationsOf<ExplainParts>('Policies')({
  http: 'GET /api/v1/policy-words',
  summary: 'List the profiles, groups and packs that policy may name',
  description: 'The built-in ones, those of the configuration and those of the tenant.',
  needs: { oneOf: ['policy.read', 'policy.write', 'agents.manage'] },
  agents: 'none',
  answer: { description: 'All of them', schema: policyWords },
  run: (_input, { caller, parts }) => listWords(caller.tenant, parts),
})

/** Everything that can be explained, by library method. */
export const explainOperations = { explain, explainDecision, listAgentTools, readPolicyWords }
