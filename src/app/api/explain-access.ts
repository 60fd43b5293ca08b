import type { Caller } from '../../core/kernel/call.ts'
import { asAgent } from '../../core/kernel/caller.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { ExplainApi, ExplainQuery } from '../../core/explain/explain-api.ts'
import { flowKey } from '../../core/flow/session-flags.ts'
import { explain, explainOne } from '../../core/policy/explain.ts'
import type { Explanation } from '../../core/policy/scope.ts'
import { withoutCalls } from '../../core/policy/without-calls.ts'
import type { CatalogueEntry } from '../../features/policies/schemas.ts'
import { isMetaTool } from '../../core/kernel/meta-tools.ts'
import { defaultTenant } from '../../core/rules/tenant.ts'
import type { PrincipalFinder } from '../governance/principal-finder.ts'
import { explainPast, type PastParts } from './explain-past.ts'
import { type CatalogueParts, findGone } from '../../features/policies/catalogue.ts'
import { whyNoCalls } from './why-no-calls.ts'
import {
  holds,
  requireOneOf,
  requirePermission,
  requireUnbound,
} from '../../core/operations/require-permission.ts'

type ExplainParts = PastParts & CatalogueParts

/** Why a caller sees what it sees. */
export function createExplainAccess(options: ExplainParts): ExplainApi {
  const { registry, scopes, store, people } = options
  const { sessionFlags } = store
  // As in lists: those by which others are found are explained to whoever asks for them by name.
  const listed = (tenant: string) =>
    registry.list(tenant).filter(({ contract }) => !isMetaTool(contract.name))
  return {
    async explain(caller, query) {
      requireOneOf(caller, ['tools.call', 'policy.read'])
      const isOfOthers = query.as !== undefined && !query.as.startsWith('role:')
      if (isOfOthers || query.sessionId !== undefined) requireUnbound(caller)
      if (isAboutAnother(caller, query)) requirePermission(caller, 'policy.read')
      const { as, noCalls } = await lookAs(caller, query, people)
      const scope = await scopes.scopeFor(as)
      const flags =
        query.sessionId === undefined
          ? undefined
          : await sessionFlags.read(caller.tenant, flowKey({ sessionId: query.sessionId }))
      const mayKnow = (one: Explanation) => !isKeptSecret(one, { caller, as })
      const finish = (one: Explanation) =>
        noCalls === undefined ? one : withoutCalls(one, noCalls)
      if (query.tool === undefined) {
        const all = explain(listed(caller.tenant), scope, flags)
        return { items: all.filter(mayKnow).map(finish), ...(flags && { flags }) }
      }
      const entry = registry.find(query.tool, caller.tenant)
      const explanation = entry && explainOne(entry, scope, flags)
      if (explanation === undefined || !mayKnow(explanation)) {
        throw await notRegistered(options, caller, query.tool)
      }
      return { items: [finish(explanation)], ...(flags && { flags }) }
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

/**
 * The caller itself, in another place or as somebody else. One that is bound to an agent looks no
 * further than that. `noCalls` says why whoever is looked at calls nothing at all; an agent is looked
 * at for its own sake, whatever the one who asks may call.
 */
async function lookAs(
  caller: Caller,
  query: ExplainQuery,
  people: PrincipalFinder,
): Promise<{ as: Caller; noCalls?: string }> {
  const own = asAgent(caller, query)
  if (query.as === undefined) {
    return { as: own, ...(query.agent === undefined && whyNoCalls(own)) }
  }
  const { agent, isOver, ...found } = await people.findPermissions(caller.tenant, query.as)
  // Both must agree: the one who asks and the one who is looked at may each be bound.
  const { runtime, skill } = query
  const as = asAgent({ ...own, ...found, agent }, { agent: own.agent, runtime, skill })
  return { as, ...whyNoCalls(as, isOver) }
}

/**
 * What does not exist for the one who asks, not even its name. Without `policy.read` that is all that
 * lists do not show them; with it, tools of other tenants, for all but the operators of the whole crib.
 */
function isKeptSecret(
  { layers }: Explanation,
  { caller, as }: { caller: Caller; as: Caller },
): boolean {
  const stop = layers.find(({ passes }) => !passes)?.layer
  if (!holds(caller, 'policy.read')) {
    // People see what they could mend; an agent is offered only what is ready.
    const isMendable = as.agent === undefined && (stop === 'needs' || stop === 'health')
    return stop !== undefined && !isMendable
  }
  const isForeign = layers.some(({ layer, passes }) => layer === 'tenant' && !passes)
  return isForeign && caller.tenant !== defaultTenant
}

/** Whoever may read policy is told of a tool that was here: nothing of it is lost yet. */
async function notRegistered(parts: ExplainParts, caller: Caller, name: string) {
  const mayAsk = holds(caller, 'policy.read') && caller.agent === undefined
  const gone = mayAsk ? await findGone(parts, caller, name) : undefined
  if (gone !== undefined) return toolIsGone(gone)
  return new ToolError(
    'not_found',
    `No tool is registered as ${JSON.stringify(name.slice(0, 200))}`,
    { fix: 'toolcrib tools lists what is there; toolcrib check says what could not be loaded.' },
  )
}

function toolIsGone({ tool, goneAt, keptUntil, agents }: CatalogueEntry): ToolError {
  const named = agents.length === 0 ? '' : ` (agents: ${agents.slice(0, 10).join(', ')})`
  return new ToolError('not_found', `No server has had ${tool} since ${goneAt}`, {
    fix: `Grants and settings that name it${named} are kept until ${keptUntil} and count again when it is back. If it was renamed, say so in its definition: aliases: ['${tool}'].`,
  })
}
