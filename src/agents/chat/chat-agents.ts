import type { CallError, Caller } from '../../core/kernel/call.ts'
import type { ChatAgent, ConversationApi } from '../../core/conversations/conversation-api.ts'
import { isToolError } from '../../core/kernel/errors.ts'
import { toCallError } from '../../core/pipeline/record/call-error.ts'
import type { AgentSettings } from '../model-source.ts'
import { assertProviderTools } from '../turn/model/provider-tools.ts'
import type { TurnPorts } from '../turn/turn-ports.ts'

type AgentPorts = Pick<TurnPorts, 'models'>

/** Agents that a caller can chat with. Their settings are only for those who manage them. */
export function createChatAgents({ models }: AgentPorts): Pick<ConversationApi, 'listChatAgents'> {
  return {
    async listChatAgents(caller, { after, limit }) {
      const { tenant, agent } = caller
      const page =
        agent === undefined
          ? await models.listAgents(tenant, after === undefined ? { limit } : { after, limit })
          : { items: [agent] }
      const found = await Promise.all(page.items.map((slug) => toChatAgent(caller, slug, models)))
      return { ...page, items: found.flatMap((one) => one ?? []) }
    },
  }
}

async function toChatAgent(
  { tenant }: Caller,
  slug: string,
  models: AgentPorts['models'],
): Promise<ChatAgent | undefined> {
  let agent: AgentSettings | undefined
  try {
    agent = await models.findAgent(tenant, slug)
    if (agent === undefined) return undefined
    await assertProviderTools(agent, await models.modelFor(tenant, agent))
    return toShown(agent)
  } catch (error) {
    const problem = toProblem(error)
    return agent === undefined ? { slug, model: '', problem } : { ...toShown(agent), problem }
  }
}

function toShown({ slug, name, description, model }: AgentSettings): ChatAgent {
  return {
    slug,
    model,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
  }
}

/** The public facts about an agent; its faults are not for everyone. */
function toProblem(error: unknown): CallError {
  if (isToolError(error)) return toCallError(error)
  throw error
}
