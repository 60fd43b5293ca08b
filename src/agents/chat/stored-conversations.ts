import type { Approval } from '../../core/approvals/approval.ts'
import type { Caller } from '../../core/kernel/call.ts'
import type { Conversation, StoredMessage, Turn } from '../../core/conversations/conversation.ts'
import type { ConversationApi } from '../../core/conversations/conversation-api.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { isSettled } from '../../core/call-state.ts'
import { applyChunk } from '../turn/stream/apply-chunk.ts'
import { askedBelow } from '../turn/calls/asked-below.ts'
import { waitingForPeople } from '../turn/stream/follow-turn.ts'
import { isToolPart, toJson, type Chunk, readParts } from '../turn/ui-parts.ts'
import { busy, conversationNotFound } from './begin-turn.ts'
import type { ConversationPorts } from './conversation-ports.ts'
import { isOwn } from './ownership.ts'

type StoredConversations = Pick<
  ConversationApi,
  'listConversations' | 'findConversation' | 'deleteConversation' | 'readConversationFile'
>

/** Stored conversations, for their owners. */
export function createStoredConversations(ports: ConversationPorts): StoredConversations {
  const { store } = ports
  async function find(caller: Caller, id: string): Promise<Conversation> {
    const found = await store.find(caller.tenant, id)
    const isBound = caller.agent !== undefined && found?.agent !== caller.agent
    if (found !== undefined && !isBound && (isOwn(caller, found) || ports.mayReadAll(caller))) {
      return found
    }
    throw conversationNotFound(id)
  }
  return {
    listConversations(caller, { agent, kind, isOwn: ownOnly = false, after, limit }) {
      return store.list(caller.tenant, {
        ...((ownOnly || !ports.mayReadAll(caller)) && { principal: caller.principal }),
        ...((caller.agent ?? agent) !== undefined && { agent: caller.agent ?? agent }),
        ...(kind !== undefined && { kinds: [kind] }),
        ...(after !== undefined && { after }),
        limit,
      })
    },
    async findConversation(caller, id, { after = 0, limit }) {
      const conversation = await find(caller, id)
      const { tenant, turnId } = conversation
      const items = await store.listMessages(tenant, id, { after, limit: limit + 1 })
      const turn = turnId === undefined ? undefined : await store.findTurn(tenant, turnId)
      const waiting = turn === undefined ? [] : await waitingIn(turn, ports)
      const asTheyStand = turn === undefined ? items : await showAsTheyStand(items, turn, ports)
      const shown = asTheyStand.slice(0, limit).map((message) => toShown(message, id))
      const next = items.length > limit ? shown.at(-1)?.position : undefined
      return {
        ...conversation,
        status: turn?.status ?? 'idle',
        items: shown,
        waiting,
        ...(next !== undefined && { next }),
      }
    },
    async deleteConversation(caller, id) {
      const { tenant, principal, ...rest } = await find(caller, id)
      if (!isOwn(caller, { principal })) throw conversationNotFound(id)
      await assertNotAwaited({ tenant, id }, ports)
      const data = { conversationId: id, messages: rest.messages }
      const event = { type: 'conversation.deleted' as const, at: ports.now(), data }
      if (await store.remove(tenant, id, { principal: caller.principal, event })) return
      const { turnId } = await find(caller, id)
      const turn = turnId === undefined ? undefined : await store.findTurn(tenant, turnId)
      throw turn === undefined ? conversationNotFound(id) : await busy(turn, ports)
    },
    async readConversationFile(caller, id, fileId) {
      const { tenant } = await find(caller, id)
      const file = await store.readFile(tenant, id, fileId)
      if (file !== undefined) return file
      throw conversationNotFound(fileId)
    },
  }
}

/** Another request may have continued it. */
const turnsLookedAt = 100

/** The answer of an agent that was sent out is read when the last of them is back: until then it stays. */
async function assertNotAwaited(
  { tenant, id: conversationId }: Pick<Conversation, 'tenant' | 'id'>,
  { store, findCall }: ConversationPorts,
): Promise<void> {
  const { items } = await store.listTurns(tenant, { conversationId, limit: turnsLookedAt })
  const parentCallId = items.find((turn) => turn.parentCallId !== undefined)?.parentCallId
  const call = parentCallId && (await findCall(tenant, parentCallId))
  if (!call || isSettled(call.status)) return
  throw new ToolError('conversation_busy', 'The agent that asked has not read the answer yet', {
    retryable: true,
    fix: `Wait for the call ${call.callId}, or cancel it.`,
  })
}

/** Approvals that a turn, or an agent it started, waits for. */
export async function waitingIn(turn: Turn, ports: ConversationPorts): Promise<Approval[]> {
  const ids = await waitingForPeople(turn, ports)
  const found = await Promise.all(ids.map((id) => ports.findApproval(turn.tenant, id)))
  return found.flatMap((one) => one ?? [])
}

/** With what agents below ask, and with what was answered already. */
async function showAsTheyStand(
  messages: readonly StoredMessage[],
  turn: Turn,
  ports: ConversationPorts,
): Promise<readonly StoredMessage[]> {
  const asDecided = turn.status === 'waiting' ? await showDecided(messages, turn, ports) : messages
  const asked = turn.waiting ? await askedBelow(turn.tenant, turn.waiting.calls, ports) : []
  return asDecided.map((message) =>
    message.id === turn.messageId ? withQuestions(message, asked) : message,
  )
}

/**
 * A waiting turn's message is not rewritten until it continues. Answers given since are looked up,
 * so that a reader is not asked again.
 */
async function showDecided(
  messages: readonly StoredMessage[],
  { tenant, messageId }: Turn,
  ports: ConversationPorts,
): Promise<StoredMessage[]> {
  return Promise.all(
    messages.map(async (message) => {
      if (message.id !== messageId) return message
      const parts = readParts(message)
      const shown = await Promise.all(
        parts.map(async (part) => {
          if (!isToolPart(part) || part.state !== 'approval-requested') return part
          const decided = await ports.findApproval(tenant, part.approval?.id ?? '')
          const approved = answers[decided?.status ?? '']
          if (approved === undefined) return part
          return { ...part, state: 'approval-responded', approval: { ...part.approval, approved } }
        }),
      )
      return { ...message, parts: toJson(shown) as StoredMessage['parts'] }
    }),
  )
}

const answers: Readonly<Record<string, boolean>> = { approved: true, rejected: false }

/** As the stream shows them: the message itself gets them when the turn continues. */
function withQuestions(message: StoredMessage, asked: readonly Chunk[]): StoredMessage {
  const parts = readParts(message)
  for (const chunk of asked) applyChunk(parts, chunk)
  return { ...message, parts: toJson(parts) as StoredMessage['parts'] }
}

/** Files as somebody with a key can read them. */
function toShown(message: StoredMessage, conversationId: string): StoredMessage {
  const parts = readParts(message).map((part) => {
    if (isToolPart(part) || part.type !== 'file') return part
    const url = String(part['url'])
    if (!url.startsWith('crib-file:')) return part
    const fileId = url.slice('crib-file:'.length)
    return { ...part, url: `/api/v1/conversations/${conversationId}/files/${fileId}` }
  })
  return { ...message, parts: toJson(parts) as StoredMessage['parts'] }
}
