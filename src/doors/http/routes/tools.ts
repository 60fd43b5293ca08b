import { runtimes } from '../../../core/kernel/runtime.ts'
import { z } from 'zod'
import type { ToolDetail } from '../../../core/crib-api.ts'
import { toFormFields } from '../../../core/schema/to-form-fields.ts'
import { pageLimit, pageOf, shortText } from '../../../core/operations/fields.ts'
import { searchedWords } from '../../../core/operations/query-fields.ts'
import { json } from '../reply.ts'
import { defineRoute } from '../route.ts'
import type { Route } from '../route.ts'
import { nameParam } from '../request/route-params.ts'
import { toolSources } from '../describe/schemas.ts'
import { toolCounts, toolDetail, toolFileProblem, toolListing } from '../describe/tool-schemas.ts'

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

const listTools = defineRoute({
  method: 'get',
  path: '/api/v1/tools',
  tag: 'Tools',
  summary: 'List the tools this caller sees',
  description:
    'Sorted by name. A tool that is hidden from the caller is not listed; `GET /api/v1/explain` says why.',
  query: z.strictObject({
    ...filters,
    after: shortText('Page on after this name').optional(),
    limit: pageLimit(200, 1000),
  }),
  answers: { 200: { description: 'A page of tools', schema: pageOf(toolListing) } },
  async handle({ door, caller, query }) {
    return json(200, await door.api.listTools(caller, { ...query, q: query.q || undefined }))
  },
})

const countTools = defineRoute({
  method: 'get',
  path: '/api/v1/tool-counts',
  tag: 'Tools',
  summary: 'Count the tools this caller sees',
  description:
    'How many fit, the packs with all that the caller sees of each, and how many are kept from the caller.',
  query: z.strictObject(filters),
  answers: { 200: { description: 'The counts', schema: toolCounts } },
  async handle({ door, caller, query }) {
    return json(200, await door.api.countTools(caller, { ...query, q: query.q || undefined }))
  },
})

const listToolFiles = defineRoute({
  method: 'get',
  path: '/api/v1/tool-files',
  tag: 'Tools',
  summary: 'List tool files that do not load',
  description:
    'With line and reason. Tools of a file that stopped loading stay as they were until it is fixed. Files belong to the default tenant; for others the list is empty. Needs `tools.approve`.',
  answers: {
    200: { description: 'All of them', schema: z.object({ items: z.array(toolFileProblem) }) },
  },
  async handle({ door, caller }) {
    return json(200, { items: await door.api.listToolFileProblems(caller) })
  },
})

const findTool = defineRoute({
  method: 'get',
  path: '/api/v1/tools/{name}',
  tag: 'Tools',
  summary: 'Read one tool',
  description:
    'With schemas, examples, the fields of a form for its input, and what each model provider would refuse or lose of them.',
  params: { name: 'Canonical name (`billing.refund`) or wire name (`billing_refund`)' },
  query: z.strictObject(seeAs),
  answers: { 200: { description: 'The tool', schema: toolDetail } },
  async handle({ door, caller, query, request }) {
    const detail = await door.api.findTool(caller, nameParam(request), query)
    return json(200, toDetailDocument(detail))
  },
})

const toolHit = z.object({
  name: z.string(),
  wireName: z.string(),
  title: z.string(),
  description: z.string(),
  effect: z.enum(['read', 'write', 'destructive']),
  pack: z.string(),
  source: z.enum(toolSources),
})

const searchTools = defineRoute({
  method: 'get',
  path: '/api/v1/tool-search',
  tag: 'Tools',
  summary: 'Search the tools this caller may use',
  description:
    'Ranked full text over names, titles, descriptions, inputs and examples; the best first. Beginnings of words and small slips are forgiven.',
  query: z.strictObject({
    q: shortText('What one wants to do, in a few words'),
    agent: seeAs.agent,
    limit: pageLimit(20, 100),
  }),
  answers: {
    200: {
      description: 'The tools that fit',
      schema: z.object({ items: z.array(toolHit), searched: z.int() }),
    },
  },
  async handle({ door, caller, query: { q, ...query } }) {
    return json(200, await door.api.searchTools(caller, { ...query, query: q }))
  },
})

const estimateTools = defineRoute({
  method: 'get',
  path: '/api/v1/tool-estimate',
  tag: 'Tools',
  summary: 'Estimate what the tools take of a model',
  description:
    'About how many tokens the definitions take if all are listed, and if the caller has to search. A token is counted as four bytes of JSON.',
  query: z.strictObject({ agent: seeAs.agent }),
  answers: {
    200: {
      description: 'The estimate',
      schema: z.object({
        tools: z.int(),
        mode: z.enum(['list', 'search']),
        tokens: z.object({ list: z.int(), search: z.int() }),
        heaviest: z.array(z.object({ name: z.string(), tokens: z.int() })),
      }),
    },
  },
  async handle({ door, caller, query }) {
    return json(200, await door.api.estimateTools(caller, query))
  },
})

/** The contract's facts and what is known around them, side by side. */
function toDetailDocument({ contract, ...around }: ToolDetail) {
  return { ...contract, ...around, fields: toFormFields(contract.inputSchema) }
}

export const toolRoutes: readonly Route[] = [
  listTools,
  countTools,
  listToolFiles,
  findTool,
  searchTools,
  estimateTools,
]
