import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { createId } from '../../core/kernel/ids.ts'
import { describeKnown } from '../../core/patterns/nearest-name.ts'
import type { EvalPort } from '../../core/trials/evals/eval-outcome.ts'
import { toTurnCaller } from '../chat/begin-turn.ts'
import type { AgentSettings } from '../model-source.ts'
import type { EvalPorts } from './eval-ports.ts'

/** Gives the requests of evals to agents and their models. */
export function createEvals(ports: EvalPorts): EvalPort {
  return {
    async seat(caller, model) {
      const agent = await findAgent(caller, ports)
      const chosen =
        agent === undefined
          ? await ports.models.modelNamed(caller.tenant, model, undefined)
          : await ports.models.modelFor(caller.tenant, { ...agent, model: model ?? agent.model })
      return {
        ...(agent !== undefined && { agent: agent.slug }),
        model: chosen.name,
        async run(request, signal) {
          // Loaded when it is needed, as turns do.
          const { runEval } = await import('./run-eval.ts')
          const acting = toCaller(caller)
          return runEval({ ...request, agent, chosen, caller: acting, signal }, ports)
        },
      }
    },
  }
}

/** Every run is a conversation of its own. */
function toCaller(caller: Caller): Caller {
  const sessionId = createId('eval')
  if (caller.agent === undefined) return { ...caller, sessionId }
  return toTurnCaller(caller, { runtime: 'chat', agent: caller.agent, sessionId })
}

const listedAtMost = 200

async function findAgent(
  { tenant, agent: slug }: Caller,
  { models }: EvalPorts,
): Promise<AgentSettings | undefined> {
  if (slug === undefined) return undefined
  const agent = await models.findAgent(tenant, slug)
  if (agent !== undefined) return agent
  const { items } = await models.listAgents(tenant, { limit: listedAtMost })
  const message = `There is no agent ${JSON.stringify(slug.slice(0, 100))}; ${describeKnown(slug, items)}`
  throw new ToolError('not_found', message, { fix: 'toolcrib agents lists them.' })
}
