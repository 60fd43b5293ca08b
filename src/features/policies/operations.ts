import { z } from 'zod'
import { isToolError } from '../../core/kernel/errors.ts'
import { pageOf } from '../../core/operations/fields.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import { compilePattern, type NamedTool } from '../../core/patterns/patterns.ts'
import { toolsOf } from '../../core/rules/tools-of.ts'
import { listCatalogueOf } from './catalogue.ts'
import { checkPolicyDocument } from './check-document.ts'
import {
  documentNotFound,
  parseBody,
  parseKind,
  patternsOf,
  refuseDeclared,
  refuseMany,
  refuseStale,
  refuseUsed,
  toPolicyDocument,
} from './documents.ts'
import type { PolicyParts } from './parts.ts'
import {
  catalogueEntry,
  catalogueQuery,
  patternMatches,
  patternRequest,
  policyDocument,
  policyDocumentRequest,
  simulation,
  simulationRequest,
  type PatternMatch,
} from './schemas.ts'
import { simulatePolicy } from './simulate.ts'

/** Listed in the response for each pattern. */
const mostNamed = 5

const define = operationsOf<PolicyParts>('Policies')
const readers = { oneOf: ['policy.read', 'policy.write'] } as const
const kind = 'policy, provider, profile, group or pack'
const params = { kind, name: 'Its name; the policy of the tenant is called `tenant`' }

const simulate = define({
  http: 'POST /api/v1/policies/simulate',
  summary: 'Preview the effect of changes',
  description: 'For every agent of the tenant, in pages. Nothing is saved.',
  needs: readers,
  agents: 'none',
  body: simulationRequest,
  answer: {
    description: 'Agents that would be affected, and how many would not',
    schema: simulation,
  },
  run: (request, { caller, parts }) => simulatePolicy(request, caller, parts),
})

const matchPatterns = define({
  http: 'POST /api/v1/policies/matches',
  summary: 'Count the tools that patterns match',
  description:
    'Hidden tools count as well. A pattern that is malformed or names an unknown group has a `problem`.',
  needs: { oneOf: ['policy.read', 'policy.write', 'agents.manage', 'limits.manage'] },
  agents: 'none',
  body: patternRequest,
  answer: { description: 'One for each pattern, in the same order', schema: patternMatches },
  async run({ patterns }, { caller, parts }) {
    const { groups } = await parts.rules.findWords(caller.tenant)
    const tools = toolsOf(parts.registry, caller.tenant)
      .list()
      .map(({ contract }) => contract)
    return { items: patterns.map((pattern) => toMatch(pattern, tools, groups)) }
  },
})

const listPolicyDocuments = define({
  http: 'GET /api/v1/policies/{kind}',
  summary: "List the tenant's documents of one kind",
  description: 'Policies set by the configuration for all tenants are not included.',
  needs: readers,
  agents: 'none',
  params: { kind },
  answer: { description: 'All of them', schema: z.object({ items: z.array(policyDocument) }) },
  async run(input, { caller, parts }) {
    const rules = await parts.store.rules.read(caller.tenant, [parseKind(input.kind)])
    return { items: rules.map(toPolicyDocument) }
  },
})

const writePolicyDocument = define({
  http: 'PUT /api/v1/policies/{kind}/{name}',
  summary: "Write a policy, a provider's level, a profile, a group or a pack's switch",
  description:
    '`body` is a level `{ profile?, allow, deny }` for policy and provider, `{ allow, deny }` for a profile, a list of patterns for a group, `{ isOn }` for a pack. Applies on every node within a second.',
  needs: 'policy.write',
  agents: 'none',
  params,
  body: policyDocumentRequest,
  answer: { description: 'The document', schema: policyDocument },
  async run({ name, version, ...input }, { caller, parts }) {
    const document = parseBody(parseKind(input.kind), name, input.body)
    const { tenant } = caller
    checkPolicyDocument(document, { ...parts, view: await parts.rules.findView(tenant) })
    const rule = await parts.store.rules.change(tenant, caller.principal, async (draft) => {
      const known = await draft.find(document.kind, name)
      refuseDeclared(known)
      refuseStale(known, version)
      await refuseMany(draft, document)
      const written = await draft.put(document.kind, name, { body: document.body })
      const change = known === undefined ? 'created' : 'changed'
      const before = known?.body ?? null
      draft.tell('policy.changed', {
        kind: document.kind,
        name,
        change,
        before,
        after: document.body,
      })
      return written
    })
    await parts.rules.refresh()
    const patterns = patternsOf(document.kind, document.body)
    const warnings = await parts.rules.findPatternWarnings(tenant, patterns)
    return { ...toPolicyDocument(rule), warnings }
  },
})

const deletePolicyDocument = define({
  http: 'DELETE /api/v1/policies/{kind}/{name}',
  summary: 'Delete a document',
  description: 'Refused while an agent or a level uses it.',
  needs: 'policy.write',
  agents: 'none',
  params,
  async run(input, { caller, parts }) {
    const document = { kind: parseKind(input.kind), name: input.name }
    await parts.store.rules.change(caller.tenant, caller.principal, async (draft) => {
      const known = await draft.find(document.kind, document.name)
      if (known === undefined) throw documentNotFound(document.kind, document.name)
      refuseDeclared(known)
      await refuseUsed(draft, document)
      await draft.delete(document.kind, document.name)
      draft.tell('policy.changed', { ...document, change: 'deleted', before: known.body })
    })
    await parts.rules.refresh()
  },
})

const listCatalogue = define({
  http: 'GET /api/v1/catalogue',
  summary: 'List present and former tools',
  description: 'Grants and settings that name a tool are kept for a while after it is removed.',
  needs: readers,
  agents: 'none',
  query: catalogueQuery,
  answer: { description: 'A page of tools', schema: pageOf(catalogueEntry) },
  run: (query, { caller, parts }) => listCatalogueOf(query, caller, parts),
})

/** Everything that can be done with policies, by library method. */
export const policyOperations = {
  simulate,
  matchPatterns,
  listPolicyDocuments,
  writePolicyDocument,
  deletePolicyDocument,
  listCatalogue,
}

function toMatch(
  pattern: string,
  tools: readonly (NamedTool & { aliases: readonly string[] })[],
  groups: Parameters<typeof compilePattern>[1],
): PatternMatch {
  try {
    const matches = compilePattern(pattern, groups)
    const found = tools.filter((tool) => matches(tool) || tool.aliases.includes(pattern))
    const named = found.slice(0, mostNamed).map(({ name }) => name)
    return { pattern, count: found.length, tools: named }
  } catch (error) {
    if (!isToolError(error)) throw error
    return { pattern, count: 0, tools: [], problem: error.message }
  }
}
