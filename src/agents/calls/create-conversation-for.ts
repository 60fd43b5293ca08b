import type {
  AttachmentReader,
  CallConversation,
  ModelAccess,
  ModelQuestions,
  ModelQuestion,
} from '../../core/kernel/context/call-conversation.ts'
import type { ConversationFor, ConversingCall } from '../../core/conversations/conversation-for.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { conversationNotFound } from '../chat/begin-turn.ts'
import type { ConversationPorts } from '../chat/conversation-ports.ts'
import { isOwn } from '../chat/ownership.ts'
import { createStateKeeper } from './state-keeper.ts'
import { startChildren } from './start-children.ts'

const conversationId = /^conv_[0-9a-f]{32}$/

/** The conversation that a call is made in, as tools see it. */
export function createConversationFor(ports: ConversationPorts): ConversationFor {
  return (call): CallConversation => {
    const talk = findOwnConversation(call, ports)
    const state = talk && createStateKeeper(talk, ports.store)
    return {
      agents: { start: (tasks) => startChildren(call, tasks, ports) },
      state,
      attachments: createAttachments(talk, ports),
      model: createModelAccess(call, ports),
      models: createModelQuestions(call, ports),
      flush: async () => (await state?.flush()) ?? [],
    }
  }
}

/** The conversation of a call, if it is made in one. */
interface OwnConversation {
  tenant: string
  id: string
  /** Throws if it is not the caller's, because a caller can name any session. */
  assertOwn(): Promise<void>
}

function findOwnConversation(
  { caller }: ConversingCall,
  { store }: ConversationPorts,
): OwnConversation | undefined {
  const { tenant, sessionId: id } = caller
  if (id === undefined || !conversationId.test(id)) return undefined
  let isOwned: Promise<boolean> | undefined
  return {
    tenant,
    id,
    async assertOwn() {
      isOwned ??= store
        .find(tenant, id)
        .then((conversation) => conversation !== undefined && isOwn(caller, conversation))
      if (!(await isOwned)) throw conversationNotFound(id)
    },
  }
}

function createAttachments(
  talk: OwnConversation | undefined,
  { store }: ConversationPorts,
): AttachmentReader {
  return {
    async list() {
      await talk?.assertOwn()
      return talk === undefined ? [] : store.listFiles(talk.tenant, talk.id)
    },
    async read(id) {
      await talk?.assertOwn()
      const file = talk && (await store.readFile(talk.tenant, talk.id, id))
      if (file !== undefined) return file.bytes
      throw new ToolError('not_found', `There is no attachment ${id.slice(0, 100)} here`)
    },
  }
}

function createModelAccess(
  call: ConversingCall,
  ports: ConversationPorts,
): ModelAccess | undefined {
  if (call.caller.agent === undefined) return undefined
  const questions = createModelQuestions(call, ports)
  return {
    generate: ({ prompt, instructions, maxOutputTokens }) =>
      questions.ask({
        prompt,
        ...(instructions !== undefined && { instructions }),
        maxOutputTokens,
      }),
  }
}

function createModelQuestions(call: ConversingCall, ports: ConversationPorts): ModelQuestions {
  return {
    async ask(question) {
      const { prompt, maxOutputTokens, tries, outputSchema, onText } = question
      const budget = await ports.enterModel(call.caller)
      const { chosen, instructions } = await choose(call, question, ports)
      // Loaded when it is needed, as turns do.
      const { askForText } = await import('../turn/model/ask-for-text.ts')
      const text = await askForText({
        chosen,
        prompt,
        instructions,
        maxOutputTokens,
        tries,
        outputSchema,
        onText,
        signal: call.signal(),
        limits: ports.limits,
        spend(usage) {
          call.used(usage)
          // Counted now, for a call may ask its model often; its end must not count it again.
          call.cost(usage.cost, budget.spend(usage.cost))
        },
      })
      return { text, model: chosen.name }
    },
  }
}

/** The model of a question, and its instructions. */
async function choose(
  { caller: { tenant, agent: calling } }: ConversingCall,
  { model, agent: named, instructions = '' }: ModelQuestion,
  { models }: ConversationPorts,
) {
  const slug = named ?? calling
  const agent = slug === undefined ? undefined : await models.findAgent(tenant, slug)
  if (slug !== undefined && agent === undefined) {
    throw new ToolError('not_found', `There is no agent ${slug}`)
  }
  const chosen =
    model === undefined && agent !== undefined
      ? await models.modelFor(tenant, agent)
      : await models.modelNamed(tenant, model, slug)
  const own = named === undefined ? [] : [agent?.instructions ?? '']
  const all = [...own, instructions].filter((text) => text !== '')
  return { chosen, instructions: all.join('\n\n') }
}
