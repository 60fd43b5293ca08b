import { operationsOf } from '../../core/operations/operation.ts'
import { deleteRule, putRule, replaceRules } from './change-rules.ts'
import { explainHost } from './explain-host.ts'
import type { NetworkParts } from './parts.ts'
import { previewRules } from './preview-rules.ts'
import { toView, toViews } from './read-rules.ts'
import {
  explainQuery,
  networkExplanation,
  networkPreview,
  networkRule,
  networkRuleRequest,
  networkRules,
  networkRulesRequest,
} from './schemas.ts'

const define = operationsOf<NetworkParts>('Network rules')
const readers = { oneOf: ['policy.read', 'policy.write'] } as const
const params = { id: 'The id of the rule' }
const address = '/api/v1/network-rules'
const whole = { description: 'The rules of the tenant', schema: networkRules }

const listNetworkRules = define({
  http: `GET ${address}`,
  summary: 'List the rules about reachable hosts',
  needs: readers,
  agents: 'none',
  answer: whole,
  run: async (_, { caller, parts }) =>
    toViews(await parts.rules.list(caller.tenant, 'network'), parts.settings),
})

const writeNetworkRules = define({
  http: `PUT ${address}`,
  summary: 'Replace all rules about reachable hosts',
  description:
    'Within the tenant, `deny` wins, and the `allow` lists of rules add up; without any, every public host is open. Rules of an agent narrow those of the tenant, and those narrow the configuration. Applies on every node within a second.',
  needs: 'policy.write',
  agents: 'none',
  body: networkRulesRequest,
  answer: whole,
  async run(request, { caller, parts }) {
    await replaceRules(caller, request, parts)
    return toViews(await parts.rules.list(caller.tenant, 'network'), parts.settings)
  },
})

const writeNetworkRule = define({
  http: `PUT ${address}/{id}`,
  summary: 'Set one rule about reachable hosts',
  description: 'Creates or replaces it, on every node within a second.',
  needs: 'policy.write',
  agents: 'none',
  params,
  body: networkRuleRequest,
  answer: { description: 'The rule', schema: networkRule },
  async run({ id, version, ...spec }, { caller, parts }) {
    return toView(await putRule(caller, { id, spec, version }, parts))
  },
})

const deleteNetworkRule = define({
  http: `DELETE ${address}/{id}`,
  summary: 'Delete a rule about reachable hosts',
  needs: 'policy.write',
  agents: 'none',
  params,
  run: ({ id }, { caller, parts }) => deleteRule(caller, id, parts),
})

const explainNetwork = define({
  http: `GET ${address}/explain`,
  summary: 'Explain whether a host can be reached',
  description: 'Each level with its verdict, and the rule that decided. Nothing is dialled.',
  needs: readers,
  agents: 'none',
  query: explainQuery,
  answer: { description: 'The verdict', schema: networkExplanation },
  run: (query, { caller, parts }) => explainHost(caller.tenant, query, parts),
})

const previewNetworkRules = define({
  http: `POST ${address}/preview`,
  summary: 'Preview the effect of other rules',
  description:
    'Compares the verdicts about every host that a rule names, and about any other host. Nothing is saved.',
  needs: readers,
  agents: 'none',
  body: networkRulesRequest,
  answer: { description: 'Verdicts that would change', schema: networkPreview },
  run: (request, { caller, parts }) => previewRules(caller.tenant, request, parts),
})

/** Everything that can be done with network rules, by library method. */
export const networkOperations = {
  listNetworkRules,
  writeNetworkRules,
  writeNetworkRule,
  deleteNetworkRule,
  explainNetwork,
  previewNetworkRules,
}
