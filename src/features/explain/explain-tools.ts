import type { Caller } from '../../core/kernel/call.ts'
import { asAgent } from '../../core/kernel/caller.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { flowKey, type SessionFlag } from '../../core/flow/session-flags.ts'
import {
  holds,
  requirePermission,
  requireUnbound,
} from '../../core/operations/require-permission.ts'
import { explain, explainOne, type SessionFacts } from '../../core/explain/explain.ts'
import type { Explanation } from '../../core/policy/scope.ts'
import { withoutCalls } from '../../core/policy/without-calls.ts'
import { defaultTenant } from '../../core/rules/tenant.ts'
import type { Runtime } from '../../core/kernel/runtime.ts'
import { isMetaTool } from '../../core/kernel/meta-tools.ts'
import { findGone } from '../policies/catalogue.ts'
import type { CatalogueEntry } from '../policies/schemas.ts'
import type { ExplainParts, FindPrincipal } from './parts.ts'
import { whyNoCalls } from './why-no-calls.ts'

/** The caller to explain for; by default the requester. */
interface ExplainQuery {
  agent?: string | undefined
  runtime?: Runtime | undefined
  skill?: string | undefined
  tool?: string | undefined
  /** As someone else: `member:<id>`, `key:<id>` or `role:<name>`. */
  as?: string | undefined
  /** With the flags of this session. */
  session?: string | undefined
}

/** Why a caller sees what it sees: every tool with every layer's verdict. */
export async function explainTools(
  caller: Caller,
  query: ExplainQuery,
  parts: ExplainParts,
): Promise<{ items: Explanation[]; flags?: readonly SessionFlag[] }> {
  const { registry, scopeFor, findPrincipal } = parts
  const { session: sessionId } = query
  const isOfOthers = query.as !== undefined && !query.as.startsWith('role:')
  if (isOfOthers || sessionId !== undefined) requireUnbound(caller)
  if (isAboutAnother(caller, query)) requirePermission(caller, 'policy.read')
  const { as, noCalls } = await lookAs(caller, query, findPrincipal)
  const scope = await scopeFor(as)
  const session = await readSession(parts, as, sessionId)
  const { flags } = session
  const mayKnow = (one: Explanation) => !isKeptSecret(one, { caller, as })
  const finish = (one: Explanation) => (noCalls === undefined ? one : withoutCalls(one, noCalls))
  if (query.tool === undefined) {
    // As in lists: meta tools are explained only when requested by name.
    const listed = registry.list(caller.tenant).filter(({ contract }) => !isMetaTool(contract.name))
    const all = explain(listed, scope, session)
    return { items: all.filter(mayKnow).map(finish), ...(flags && { flags }) }
  }
  const entry = registry.find(query.tool, caller.tenant)
  const explanation = entry && explainOne(entry, scope, session)
  if (explanation === undefined || !mayKnow(explanation)) {
    throw await notRegistered(parts, caller, query.tool)
  }
  return { items: [finish(explanation)], ...(flags && { flags }) }
}

/** The state of a session that decisions depend on. Without one, that of the caller. */
async function readSession(
  { store, workspaceAccess: { modeFor, mayAsk } }: ExplainParts,
  as: Caller,
  sessionId: string | undefined,
): Promise<SessionFacts> {
  if (sessionId === undefined) return { mode: await modeFor(as), mayAsk }
  const flags = await store.sessionFlags.read(as.tenant, flowKey({ sessionId }))
  return { flags, mode: await modeFor({ ...as, sessionId }), mayAsk }
}

/** Only callers who may read policy may see someone else's view or a session's flags. */
function isAboutAnother(caller: Caller, query: ExplainQuery): boolean {
  return (
    query.as !== undefined ||
    query.session !== undefined ||
    (query.agent !== undefined && query.agent !== caller.agent) ||
    (query.skill !== undefined && query.skill !== caller.skill) ||
    (query.runtime !== undefined && query.runtime !== caller.runtime)
  )
}

/**
 * The caller itself, in another runtime or as someone else. A caller bound to an agent sees no
 * further than that agent. `noCalls` is why the explained caller cannot call anything at all; an
 * agent is explained independently of what the requester may call.
 */
async function lookAs(
  caller: Caller,
  query: ExplainQuery,
  findPrincipal: FindPrincipal,
): Promise<{ as: Caller; noCalls?: string }> {
  const own = asAgent(caller, query)
  if (query.as === undefined) {
    return { as: own, ...(query.agent === undefined && whyNoCalls(own)) }
  }
  const { agent, isOver, ...found } = await findPrincipal(caller.tenant, query.as)
  // Both must agree: the requester and the explained caller may each be bound to an agent.
  const { runtime, skill } = query
  const as = asAgent({ ...own, ...found, agent }, { agent: own.agent, runtime, skill })
  return { as, ...whyNoCalls(as, isOver) }
}

/**
 * Tools whose existence, including the name, is hidden from the requester. Without `policy.read`
 * those are all tools that lists do not show; with it, tools of other tenants, except for operators
 * of the whole server.
 */
function isKeptSecret(
  { layers }: Explanation,
  { caller, as }: { caller: Caller; as: Caller },
): boolean {
  const stop = layers.find(({ passes }) => !passes)?.layer
  if (!holds(caller, 'policy.read')) {
    // People also see tools that they could repair; an agent is offered only tools that are ready.
    const isMendable = as.agent === undefined && (stop === 'needs' || stop === 'health')
    return stop !== undefined && !isMendable
  }
  const isForeign = layers.some(({ layer, passes }) => layer === 'tenant' && !passes)
  return isForeign && caller.tenant !== defaultTenant
}

/** Callers who may read policy learn of a removed tool whose settings are still kept. */
async function notRegistered(parts: ExplainParts, caller: Caller, name: string) {
  const mayAsk = holds(caller, 'policy.read') && caller.agent === undefined
  const gone = mayAsk ? await findGone(parts, caller, name) : undefined
  if (gone !== undefined) return toolIsGone(gone)
  return new ToolError(
    'not_found',
    `No tool is registered as ${JSON.stringify(name.slice(0, 200))}`,
    {
      fix: 'toolcrib tools lists the tools; toolcrib check reports files that could not be loaded.',
    },
  )
}

function toolIsGone({ tool, goneAt, keptUntil, agents }: CatalogueEntry): ToolError {
  const named = agents.length === 0 ? '' : ` (agents: ${agents.slice(0, 10).join(', ')})`
  return new ToolError('not_found', `No server has had ${tool} since ${goneAt}`, {
    fix: `Grants and settings that name it${named} are kept until ${keptUntil} and apply again if it comes back. If it was renamed, add the old name to its definition: aliases: ['${tool}'].`,
  })
}
