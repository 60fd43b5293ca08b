import { z } from 'zod'
import type { Caller } from '../../core/kernel/call.ts'
import { asAgent } from '../../core/kernel/caller.ts'
import type { OfferedTool } from '../../core/offer/tool-offer.ts'
import { pageLimit, pageOf, shortText } from '../../core/operations/fields.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import { searchedWords } from '../../core/operations/query-fields.ts'
import { holds } from '../../core/operations/require-permission.ts'
import { findHiding } from '../../core/explain/explain.ts'
import { defaultTenant } from '../../core/rules/tenant.ts'
import { runtimes } from '../../core/kernel/runtime.ts'
import { estimateAll, estimateTokens } from '../../core/search/estimate-tokens.ts'
import { indexOf } from '../../core/search/tool-index.ts'
import { toolSources } from '../../core/tools/tool-listing.ts'
import type { ToolParts } from './parts.ts'
import { previewTool } from './preview-tool.ts'
import { listToolTests, runToolTests } from './test-operations.ts'
import { countOthers, countPacks, listTools, matches, toDetail, toListing } from './see-tools.ts'
import {
  toolCounts,
  type ToolCounts,
  toolDetail,
  toolEstimate,
  toolFileProblem,
  toolHit,
  type ToolSearchHit,
  toolListing,
} from './schemas.ts'

const define = operationsOf<ToolParts>('Tools')
const needs = 'tools.call'

const seeAs = {
  agent: shortText('See as this agent').optional(),
  skill: shortText('With this skill of the agent in force').optional(),
  runtime: z.enum(runtimes).optional().meta({ description: 'See as if running for this reason' }),
}

const filters = {
  ...seeAs,
  q: searchedWords('Words in the name, title or description'),
  pack: shortText('Tools of this pack').optional(),
  source: z.enum(toolSources).optional().meta({ description: 'Tools from this source' }),
  effect: z.enum(['read', 'write', 'destructive']).optional(),
  state: z
    .enum(['ready', 'misconfigured', 'quarantined'])
    .optional()
    .meta({ description: 'How they stand' }),
}

const list = define({
  http: 'GET /api/v1/tools',
  summary: 'List the tools this caller sees',
  description:
    'Sorted by name. Tools that are hidden from the caller are not listed; `GET /api/v1/explain` shows why.',
  needs,
  agents: 'own',
  query: z.strictObject({
    ...filters,
    after: shortText('Page on after this name').optional(),
    limit: pageLimit(200, 1000),
  }),
  answer: { description: 'A page of tools', schema: pageOf(toolListing) },
  async run({ after, limit, ...query }, { caller, parts: { registry, scopeFor } }) {
    const scope = await scopeFor(asAgent(caller, query))
    const all = listTools(registry.list(scope.tenant), scope).filter((tool) => matches(tool, query))
    const from = after === undefined ? 0 : all.findIndex((tool) => tool.name > after)
    const items = from < 0 ? [] : all.slice(from, from + limit)
    const isLast = from < 0 || from + limit >= all.length
    return isLast ? { items } : { items, next: items.at(-1)?.name }
  },
})

const countTools = define({
  http: 'GET /api/v1/tool-counts',
  summary: 'Count the tools this caller sees',
  description:
    'How many fit, the packs with all that the caller sees of each, and how many are kept from the caller.',
  needs,
  agents: 'own',
  query: z.strictObject(filters),
  answer: { description: 'The counts', schema: toolCounts },
  async run(query, { caller, parts: { registry, scopeFor } }) {
    const scope = await scopeFor(asAgent(caller, query))
    const entries = registry.list(scope.tenant)
    const all = listTools(entries, scope)
    const counts: ToolCounts = {
      total: all.filter((tool) => matches(tool, query)).length,
      packs: countPacks(all),
    }
    // Without policy.read there is nothing that the caller does not see.
    if (!holds(caller, 'policy.read')) return counts
    return { ...counts, hidden: countOthers(entries, { caller, scope, seen: all.length }) }
  },
})

const listToolFileProblems = define({
  http: 'GET /api/v1/tool-files',
  summary: 'List tool files that do not load',
  description:
    'With line and reason. Tools of a file that stopped loading stay as they were until it is fixed. Files belong to the default tenant; for others the list is empty.',
  needs: 'tools.approve',
  agents: 'none',
  answer: {
    description: 'All of them',
    schema: z.object({ items: z.array(toolFileProblem).readonly() }),
  },
  run: async (_input, { caller, parts }) => ({
    items: maySeeFiles(caller) ? parts.fileProblems() : [],
  }),
})

const findTool = define({
  http: 'GET /api/v1/tools/{name}',
  summary: 'Read one tool',
  description:
    'With schemas, examples, the fields of a form for its input, and what each model provider would refuse or lose of them.',
  needs,
  agents: 'own',
  params: { name: 'Canonical name (`billing.refund`) or wire name (`billing_refund`)' },
  unknownAs: 'tool_not_found',
  query: z.strictObject(seeAs),
  answer: { description: 'The tool', schema: toolDetail },
  async run({ name, ...query }, { caller, parts }) {
    const as = asAgent(caller, query)
    const scope = await parts.scopeFor(as)
    const entry = parts.registry.find(name, scope.tenant)
    const listing = entry && toListing(entry, scope)
    if (entry === undefined || listing === undefined) {
      const { answer, refuse } = parts.refusals
      // An agent that asks about a tool would call it next; a person looks at a page.
      const tell = caller.agent === undefined ? answer : refuse
      throw await tell(as, name, entry && findHiding(entry, scope))
    }
    const problem = parts.fileProblems().find(({ tools }) => tools.includes(entry.contract.name))
    const lastWorking = problem && (maySeeFiles(caller) ? { problem } : {})
    return { ...toDetail(entry, listing), ...(lastWorking && { lastWorking }) }
  },
})

const searchTools = define({
  http: 'GET /api/v1/tool-search',
  summary: 'Search the tools this caller may use',
  description:
    'Ranked full text over names, titles, descriptions, inputs and examples; the best first. Beginnings of words and small slips are forgiven.',
  needs,
  agents: 'own',
  query: z.strictObject({
    q: shortText('The task, in a few words'),
    agent: seeAs.agent,
    limit: pageLimit(20, 100),
  }),
  answer: {
    description: 'The tools that fit',
    schema: z.object({ items: z.array(toolHit), searched: z.int() }),
  },
  async run({ q, limit, agent }, { caller, parts: { offers } }) {
    const { tools } = await offers.whole(asAgent(caller, { agent }))
    const found = indexOf(tools).search(q, limit)
    return { items: found.map(({ tool }) => toHit(tool)), searched: tools.length }
  },
})

const heaviestShown = 10

const estimateTools = define({
  http: 'GET /api/v1/tool-estimate',
  summary: 'Estimate what the tools take of a model',
  description:
    'About how many tokens the definitions take if all are listed, and if the caller has to search. A token is counted as four bytes of JSON.',
  needs,
  agents: 'own',
  query: z.strictObject({ agent: seeAs.agent }),
  answer: { description: 'The estimate', schema: toolEstimate },
  async run({ agent }, { caller, parts: { offers } }) {
    const as = asAgent(caller, { agent })
    const { tools } = await offers.whole(as)
    const { mode } = await offers.offer(as)
    const short = await offers.offer({ ...as, toolMode: 'search' })
    const heaviest = tools
      .map((tool) => ({ name: tool.name, tokens: estimateTokens(tool) }))
      .sort((left, right) => right.tokens - left.tokens || (left.name < right.name ? -1 : 1))
    return {
      tools: tools.length,
      mode,
      tokens: { list: estimateAll(tools), search: estimateAll(short.tools) },
      heaviest: heaviest.slice(0, heaviestShown),
    }
  },
})

/** Everything that can be asked about tools, by library method. */
export const toolOperations = {
  listTools: list,
  countTools,
  listToolFileProblems,
  findTool,
  searchTools,
  estimateTools,
  previewTool,
  listToolTests,
  runToolTests,
}

/** Files are common to all tenants and nobody's but the operator's. */
function maySeeFiles(caller: Caller): boolean {
  return caller.tenant === defaultTenant && holds(caller, 'tools.approve')
}

function toHit(tool: OfferedTool): ToolSearchHit {
  const { name, wireName, title, description, effect, pack, source } = tool
  return { name, wireName, title, description, effect, pack, source }
}
