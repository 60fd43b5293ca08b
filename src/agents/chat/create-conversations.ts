import type { Caller } from '../../core/kernel/call.ts'
import type { Conversation, StoredMessage, Turn } from '../../core/conversations/conversation.ts'
import type {
  ChatDecision,
  ConversationApi,
  TurnStream,
} from '../../core/conversations/conversation-api.ts'
import { isToolError, ToolError } from '../../core/kernel/errors.ts'
import { createId } from '../../core/kernel/ids.ts'
import { followTurn, rests, waitingForPeople } from '../turn/stream/follow-turn.ts'
import { isToolPart, textOf, type Part, readParts } from '../turn/ui-parts.ts'
import { createChatAgents } from './chat-agents.ts'
import { beginTurn, conversationNotFound, toTurnCaller } from './begin-turn.ts'
import type { ConversationPorts } from './conversation-ports.ts'
import { putIntoWorkspace } from './put-into-workspace.ts'
import { assertReadable } from './assert-readable.ts'
import { assertAgent, isOwn } from './ownership.ts'
import { createStoredConversations } from './stored-conversations.ts'
import { type ChatIntent, parseChat, type SaidMessage } from './parse-chat.ts'
import { createAgentRuns } from './agent-runs.ts'

/** Talking to agents: chats, runs and what is stored of them. Permissions were looked at before. */
export function createConversations(ports: ConversationPorts): ConversationApi {
  return {
    ...createChatAgents(ports),
    ...createChat(ports),
    ...createStoredConversations(ports),
    ...createAgentRuns(ports),
  }
}

function createChat(ports: ConversationPorts): Pick<ConversationApi, 'chat' | 'resumeChat'> {
  const { runner } = ports
  const stream = (
    turn: Pick<Turn, 'tenant' | 'id' | 'conversationId'>,
    from: number,
    signal?: AbortSignal,
  ): TurnStream => ({
    conversationId: turn.conversationId,
    turnId: turn.id,
    chunks: followTurn(
      {
        tenant: turn.tenant,
        turnId: turn.id,
        from,
        heartbeatMs: ports.heartbeatMs,
        ...(signal && { signal }),
      },
      ports,
    ) as AsyncIterable<never>,
  })
  return {
    async chat(caller, { agent, ...request }, signal) {
      await assertAgent(caller, agent, ports)
      const intent = parseChat(request, () => createId('msg'))
      if (intent.kind === 'say') await assertReadable(caller, { agent, ...intent }, ports)
      const conversation = await openConversation(caller, { agent, id: request.id, intent }, ports)
      if (intent.kind === 'answer') {
        const turn = await answer(caller, { conversation, answers: intent.answers }, ports)
        return stream(turn.turn, turn.from, signal)
      }
      const place = { agent, runtime: 'chat' as const, sessionId: conversation.id }
      const acting = toTurnCaller(caller, place)
      const kept = await putIntoWorkspace(intent, { conversation, caller: acting }, ports)
      const what = await toBeginning(kept, conversation, ports)
      const { turnId, isNew } = await beginTurn({ conversation, caller: acting, ...what }, ports)
      if (isNew) await runner.start(turnId)
      const id =
        !isNew && 'message' in what
          ? await findAnswering(conversation, what.message, { ...ports, turnId })
          : turnId
      return stream({ tenant: caller.tenant, id, conversationId: conversation.id }, 0, signal)
    },
    async resumeChat(caller, { agent, conversationId: id }, signal) {
      await assertAgent(caller, agent, ports)
      // Under a name of one's own a conversation begins with the first message; clients ask before it.
      const conversation = await lookUp(caller, { agent, id }, ports)
      if (conversation === undefined && ownId.test(id)) throw conversationNotFound(id)
      if (conversation?.turnId === undefined) return undefined
      const { turnId } = conversation
      if (await rests(caller.tenant, turnId, ports)) return undefined
      return stream(
        { tenant: caller.tenant, id: turnId, conversationId: conversation.id },
        0,
        signal,
      )
    },
  }
}

const ownId = /^conv_[0-9a-f]{32}$/
const clientIdPattern = /^[\x21-\x7e]{1,200}$/

interface Place {
  agent: string
  id: string | undefined
  intent: ChatIntent
}

/**
 * The conversation of this name. A person's message begins one; answering needs an existing one.
 */
async function openConversation(
  caller: Caller,
  { agent, id, intent }: Place,
  ports: ConversationPorts,
): Promise<Conversation> {
  if (id !== undefined && !clientIdPattern.test(id)) {
    throw new ToolError('invalid_request', 'id must be 1 to 200 visible ASCII characters')
  }
  if (intent.kind !== 'say' || (id !== undefined && ownId.test(id))) {
    return findConversation(caller, { agent, id: id ?? '' }, ports)
  }
  const { tenant, principal } = caller
  const draft = { id: createId('conv'), tenant, agent, principal, kind: 'chat' as const }
  return ports.store.open(id === undefined ? draft : { ...draft, clientId: id })
}

async function findConversation(
  caller: Caller,
  of: { agent: string; id: string },
  ports: ConversationPorts,
): Promise<Conversation> {
  const found = await lookUp(caller, of, ports)
  if (found !== undefined) return found
  throw conversationNotFound(of.id)
}

/** By either name. That of somebody else, or of another agent, is not found. */
async function lookUp(
  caller: Caller,
  { agent, id }: { agent: string; id: string },
  { store }: ConversationPorts,
): Promise<Conversation | undefined> {
  const { tenant, principal } = caller
  const found = ownId.test(id)
    ? await store.find(tenant, id)
    : await store.findByClient(tenant, { agent, principal, clientId: id })
  return found?.agent === agent && isOwn(caller, found) ? found : undefined
}

/** The messages of the turn, and the place from which they replace earlier ones. */
async function toBeginning(
  intent: Exclude<ChatIntent, { kind: 'answer' }>,
  conversation: Conversation,
  { store }: ConversationPorts,
) {
  const { tenant, id } = conversation
  if (intent.kind === 'say') {
    const replaced =
      intent.replaces === undefined
        ? undefined
        : await store.findMessage(tenant, id, intent.replaces)
    const isOwnMessage = replaced?.role === 'user' && replaced.turnId !== undefined
    return {
      message: intent.message,
      ...(isOwnMessage &&
        intent.replaces === intent.message.id && { replaceFrom: replaced.position }),
    }
  }
  const again =
    intent.messageId === undefined
      ? await findLast(conversation, store)
      : await store.findMessage(tenant, id, intent.messageId)
  if (again === undefined) throw new ToolError('not_found', 'There is nothing to answer again')
  if (await isHalfDone(again, conversation, store)) return {}
  // If the answer failed before its first word, the person's last message has none.
  return { replaceFrom: again.role === 'assistant' ? again.position : again.position + 1 }
}

/** The turn that answered a repeated message, which may have been answered again. */
async function findAnswering(
  { tenant, id }: Conversation,
  message: SaidMessage,
  { store, turnId }: ConversationPorts & { turnId: string },
): Promise<string> {
  const known = await store.findMessage(tenant, id, message.id)
  assertSame(known, message)
  const after = await store.listMessages(tenant, id, { after: known?.position ?? 0, limit: latest })
  const next = after.findIndex(({ role }) => role === 'user')
  const answers = next < 0 ? after : after.slice(0, next)
  const underWay = next < 0 ? (await store.find(tenant, id))?.turnId : undefined
  return underWay ?? answers.at(-1)?.turnId ?? turnId
}

/** A repeated message is the same one: no message may be lost because of its id. */
function assertSame(
  stored: StoredMessage | undefined,
  { id: messageId, parts }: SaidMessage,
): void {
  const known = stored && readParts(stored)
  if (known?.length === parts.length && textOf(known) === textOf(parts as readonly Part[])) return
  throw new ToolError('idempotency_mismatch', `Another message has the id ${messageId} here`, {
    fix: 'Give every message an id of its own. To replace one, name it as messageId.',
  })
}

/**
 * If the last turn failed or was stopped after calling tools, it continues from there: finished
 * calls are not repeated.
 */
async function isHalfDone(
  { id, turnId, role, parts }: StoredMessage,
  conversation: Conversation,
  store: ConversationPorts['store'],
): Promise<boolean> {
  if (role !== 'assistant' || turnId === undefined) return false
  if (!readParts({ parts }).some(isToolPart)) return false
  const turn = await store.findTurn(conversation.tenant, turnId)
  if (turn?.status !== 'failed' && turn?.status !== 'cancelled') return false
  return (await findLast(conversation, store))?.id === id
}

const latest = 1000

async function findLast(
  { tenant, id, messages }: Conversation,
  store: ConversationPorts['store'],
): Promise<StoredMessage | undefined> {
  // Positions count up; many of the newest may have been set aside.
  for (let after = messages - latest; ; after -= latest) {
    const page = await store.listMessages(tenant, id, { after: Math.max(0, after), limit: latest })
    if (page.length > 0 || after <= 0) return page.at(-1)
  }
}

/**
 * Passes answers on to the approvals that wait in this conversation. Anything not asked here is
 * ignored, whatever the history claims, and earlier decisions stay. An answer that cannot be
 * accepted is reported after the others.
 */
async function answer(
  caller: Caller,
  { conversation, answers }: { conversation: Conversation; answers: readonly ChatDecision[] },
  ports: ConversationPorts,
): Promise<{ turn: Turn; from: number }> {
  const { tenant, turnId } = conversation
  const turn = turnId === undefined ? undefined : await ports.store.findTurn(tenant, turnId)
  if (turn === undefined) throw nothingWaits()
  const from = (await ports.store.readChunks(tenant, turn.id, 0)).length
  const asked = new Set(await askedIn(turn, ports))
  const fitting = answers.filter(({ id }) => asked.has(id))
  const problems: unknown[] = []
  for (const { id, approved, reason, input } of fitting) {
    const decision = approved ? ('approve' as const) : ('reject' as const)
    const request = {
      id,
      decision,
      ...(reason && { reason }),
      ...(approved && input !== undefined && { input }),
    }
    await ports.decide(caller, request).catch((error: unknown) => problems.push(error))
  }
  const problem = problems.find((one) => !isDecided(one))
  if (problem !== undefined) throw problem
  return { turn, from }
}

/** Everything a turn waits for and has shown: an answer to that may be repeated. */
async function askedIn(turn: Turn, ports: ConversationPorts): Promise<string[]> {
  const waiting = await waitingForPeople(turn, ports)
  const message = await ports.store.findMessage(turn.tenant, turn.conversationId, turn.messageId)
  const shown = readParts(message).filter(isToolPart)
  return [...waiting, ...shown.flatMap(({ approval }) => approval?.id ?? [])]
}

/** Somebody was quicker, here or elsewhere: the first word counts. */
function isDecided(error: unknown): boolean {
  return isToolError(error) && error.code === 'already_decided'
}

function nothingWaits(): ToolError {
  return new ToolError('conflict', 'Nothing waits for an answer in this conversation', {
    retryable: false,
    fix: 'Read the conversation again: it has continued since.',
  })
}
