import type { Caller } from '../../core/call.ts'
import { asAgent } from '../../core/caller.ts'
import { ToolError } from '../../core/errors.ts'
import type { ExplainApi, ExplainQuery } from '../../core/explain/explain-api.ts'
import { flowKey } from '../../core/flow/session-flags.ts'
import { explain, explainOne } from '../../core/policy/explain.ts'
import type { Explanation, LayerName } from '../../core/policy/scope.ts'
import { defaultTenant } from '../../core/rules/tenant.ts'
import type { PrincipalFinder } from '../governance/principal-finder.ts'
import { type ExplainParts, explainPast } from './explain-past.ts'
import { holds, requireManager, requireOneOf, requirePermission } from './permissions.ts'

type ExplainAccess = Pick<
  ExplainApi,
  'explain' | 'explainDecision' | 'listSessionFlags' | 'clearSessionFlags'
>

/** Why a caller sees what it sees. */
export function createExplainAccess(options: ExplainParts): ExplainAccess {
  const { registry, scopes, store, people } = options
  const { sessionFlags } = store
  return {
    async explain(caller, query) {
      requireOneOf(caller, ['tools.call', 'policy.read'])
      const mayReadPolicy = holds(caller, 'policy.read')
      if (isAboutAnother(caller, query)) requirePermission(caller, 'policy.read')
      const scope = await scopes.scopeFor(await callerFor(caller, query, people))
      const flags =
        query.sessionId === undefined
          ? []
          : await sessionFlags.read(caller.tenant, flowKey({ sessionId: query.sessionId }))
      const hiding = hidingLayers(caller, mayReadPolicy)
      const mayKnow = (one: Explanation) => !isKeptSecret(one, hiding)
      if (query.tool === undefined)
        return explain(registry.list(caller.tenant), scope, flags).filter(mayKnow)
      const entry = registry.find(query.tool, caller.tenant)
      const explanation = entry && explainOne(entry, scope, flags)
      if (explanation === undefined || !mayKnow(explanation)) throw notRegistered(query.tool)
      return [explanation]
    },
    async explainDecision(caller, id) {
      // Whoever may not ask learns nothing, not even that there was something.
      const past = holds(caller, 'policy.read') ? await explainPast(caller, id, options) : undefined
      if (past !== undefined) return past
      throw new ToolError(
        'not_found',
        `There is no decision ${JSON.stringify(id.slice(0, 100))} to explain`,
        {
          fix: 'It takes an id of a refusal (ref_…) or a call (call_…), and the permission policy.read.',
        },
      )
    },
    async listSessionFlags(caller, sessionId) {
      requirePermission(caller, 'policy.read')
      return sessionFlags.read(caller.tenant, flowKey({ sessionId }))
    },
    async clearSessionFlags(caller, sessionId) {
      // A model that holds a key of its agent would forget what it has seen.
      requireManager(caller, ['policy.write'])
      return sessionFlags.clear(caller.tenant, flowKey({ sessionId }), caller.principal)
    },
  }
}

/** Somebody else's view is for those who may read policy; so is what a session has seen. */
function isAboutAnother(caller: Caller, query: ExplainQuery): boolean {
  return (
    query.as !== undefined ||
    query.sessionId !== undefined ||
    (query.agent !== undefined && query.agent !== caller.agent) ||
    (query.skill !== undefined && query.skill !== caller.skill) ||
    (query.runtime !== undefined && query.runtime !== caller.runtime)
  )
}

/** The caller itself, in another place or as somebody else. One that is bound to an agent looks no further than that. */
async function callerFor(
  caller: Caller,
  query: ExplainQuery,
  people: PrincipalFinder,
): Promise<Caller> {
  const own = asAgent(caller, query)
  if (query.as === undefined) return own
  const { agent, ...found } = await people.findPermissions(caller.tenant, query.as)
  // Both must agree: the one who asks and the one who is looked at may each be bound.
  return asAgent(
    { ...own, ...found, agent },
    {
      agent: own.agent,
      runtime: query.runtime,
      skill: query.skill,
    },
  )
}

/**
 * What these layers hide does not exist for the caller, not even its name: tools of other tenants for
 * everybody but the operators of the whole crib, tools of other runtimes for who may not read policy.
 */
function hidingLayers({ tenant }: Caller, mayReadPolicy: boolean): readonly LayerName[] {
  const isOperator = mayReadPolicy && tenant === defaultTenant
  return [
    ...(isOperator ? [] : ['tenant' as const]),
    ...(mayReadPolicy ? [] : ['runtime' as const]),
  ]
}

function isKeptSecret({ layers }: Explanation, hiding: readonly LayerName[]): boolean {
  return layers.some(({ layer, passes }) => !passes && hiding.includes(layer))
}

function notRegistered(name: string): ToolError {
  return new ToolError(
    'not_found',
    `No tool is registered as ${JSON.stringify(name.slice(0, 200))}`,
    { fix: 'toolcrib tools lists what is there; toolcrib check says what could not be loaded.' },
  )
}
