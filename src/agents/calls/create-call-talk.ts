import { generateText } from 'ai'
import type { CallTalk, ModelAccess } from '../../core/conversations/call-talk.ts'
import type { TalkFor, TalkingCall } from '../../core/conversations/talk-for.ts'
import { ToolError } from '../../core/errors.ts'
import { toModelFailure, toUsage } from '../turn/model-step.ts'
import type { TalkPorts } from '../chat/talk-ports.ts'
import { createStateKeeper } from './state-keeper.ts'
import { startChildren } from './start-children.ts'

const conversationId = /^conv_[0-9a-f]{32}$/

/** What calls have of the conversation that they are made in. */
export function createTalkFor(ports: TalkPorts): TalkFor {
  return (call): CallTalk => {
    const { tenant, sessionId } = call.caller
    const isTalk = sessionId !== undefined && conversationId.test(sessionId)
    const state = isTalk ? createStateKeeper({ tenant, id: sessionId }, ports.store) : undefined
    return {
      agents: { start: (tasks) => startChildren(call, tasks, ports) },
      state,
      attachments: {
        list: async () => (isTalk ? ports.store.listFiles(tenant, sessionId) : []),
        async read(id) {
          const file = isTalk ? await ports.store.readFile(tenant, sessionId, id) : undefined
          if (file !== undefined) return file.bytes
          throw new ToolError('not_found', `There is no attachment ${id.slice(0, 100)} here`)
        },
      },
      model: createModelAccess(call, ports),
      flush: async () => (await state?.flush()) ?? [],
    }
  }
}

function createModelAccess(call: TalkingCall, ports: TalkPorts): ModelAccess | undefined {
  const { tenant, agent: slug } = call.caller
  if (slug === undefined) return undefined
  return {
    async generate({ prompt, instructions, maxOutputTokens }) {
      const agent = await ports.models.findAgent(tenant, slug)
      if (agent === undefined) throw new ToolError('not_found', `There is no agent ${slug}`)
      const budget = await ports.enterModel(call.caller)
      const chosen = await ports.models.modelFor(tenant, agent)
      try {
        const result = await generateText({
          model: chosen.model,
          prompt,
          ...(instructions !== undefined && { instructions }),
          ...(maxOutputTokens !== undefined && { maxOutputTokens }),
          maxRetries: ports.limits.modelRetries,
          abortSignal: call.signal(),
          timeout: { totalMs: ports.limits.modelMs },
        })
        const { cost } = toUsage(result.usage, chosen)
        budget.spend(cost)
        call.cost(cost)
        return { text: result.text, model: chosen.name }
      } catch (error) {
        call.signal().throwIfAborted()
        throw toModelFailure(error, chosen)
      }
    },
  }
}
