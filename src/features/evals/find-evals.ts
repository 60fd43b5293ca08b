import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { ToolEval } from '../../core/kernel/trial/tool-eval.ts'
import { describeKnown, findNearest } from '../../core/patterns/nearest-name.ts'
import { decide } from '../../core/policy/decide.ts'
import { agentSchema } from '../../core/rules/rule-schemas.ts'
import type { Rule } from '../../core/rules/rule-store.ts'
import type { EvalParts } from './parts.ts'

/** The evals of a tool or an agent. */
export interface EvalSubject {
  /** The tool, or `agent:<slug>`. */
  name: string
  /** Of an agent: it gets the requests. */
  agent?: string
  evals: readonly ToolEval[]
}

const agentPrefix = 'agent:'
const agentsAtOnce = 500

/** Every tool that this caller may call and every agent, if it has evals. As an agent, of agents only it. */
export async function listEvals(caller: Caller, parts: EvalParts): Promise<EvalSubject[]> {
  const agents = await listAgents(caller, parts)
  const scope = await parts.scopeFor(caller)
  const tools = parts.registry.list(scope.tenant).flatMap((entry): EvalSubject[] => {
    const { name, evals = [] } = entry.contract
    if (evals.length === 0 || decide(entry, scope).verdict === 'deny') return []
    return [{ name, evals }]
  })
  return [...tools, ...agents.map(toSubject).filter(({ evals }) => evals.length > 0)]
}

/** As an agent only that one; throws not_found if it does not exist. */
async function listAgents({ tenant, agent }: Caller, { store }: EvalParts): Promise<Rule[]> {
  const rule = agent === undefined ? undefined : await store.rules.find(tenant, 'agent', agent)
  if (rule !== undefined) return [rule]
  const all: Rule[] = []
  let after: string | undefined
  do {
    const query = { limit: agentsAtOnce, ...(after !== undefined && { after }) }
    const page = await store.rules.page(tenant, 'agent', query)
    all.push(...page.items)
    after = page.next
  } while (after !== undefined)
  if (agent !== undefined) assertKnown(agent, all)
  return all
}

function toSubject({ name, body }: Pick<Rule, 'name' | 'body'>): EvalSubject {
  const evals = agentSchema.safeParse(body).data?.evals ?? []
  return { name: `${agentPrefix}${name}`, agent: name, evals }
}

/** The evals of this tool or agent; throws `tool_not_found` or `not_found`. */
export async function findEvals(
  caller: Caller,
  name: string,
  parts: EvalParts,
): Promise<EvalSubject> {
  if (name.startsWith(agentPrefix) || caller.agent !== undefined) {
    const agents = await listAgents(caller, parts)
    if (name.startsWith(agentPrefix)) {
      return toSubject(assertKnown(name.slice(agentPrefix.length), agents))
    }
  }
  const scope = await parts.scopeFor(caller)
  const entry = parts.registry.find(name, scope.tenant)
  const decision = entry && decide(entry, scope)
  if (entry !== undefined && decision?.verdict !== 'deny') {
    return { name: entry.contract.name, evals: entry.contract.evals ?? [] }
  }
  const refused = await parts.refusals.refuse(caller, name, decision)
  const { tools } = await parts.offers.whole(caller)
  const nearest = findNearest(
    name,
    tools.map((tool) => tool.name),
  )
  if (nearest === undefined) throw refused
  const { code, message, fix, details } = refused
  throw new ToolError(code, `${message}; did you mean ${nearest}?`, {
    ...(fix !== undefined && { fix }),
    ...(details !== undefined && { details }),
  })
}

/** Throws not_found with the nearest name. */
function assertKnown(slug: string, known: readonly Rule[]): Rule {
  const rule = known.find(({ name }) => name === slug)
  if (rule !== undefined) return rule
  const slugs = known.map(({ name }) => name)
  const message = `There is no agent ${JSON.stringify(slug.slice(0, 100))}; ${describeKnown(slug, slugs)}`
  throw new ToolError('not_found', message, { fix: 'toolcrib agents lists them.' })
}
