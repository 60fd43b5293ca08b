import type { Approval } from '../../../core/approvals/approval.ts'
import type {
  ChatDecision,
  ChatRequest,
  ConversationDetail,
  Run,
} from '../../../core/conversations/conversation-api.ts'
import type { SseMessage } from '../../../core/client/read-sse.ts'
import { isToolError } from '../../../core/kernel/errors.ts'
import type { HttpClient } from '../client/http-client.ts'
import type { CommandContext } from '../command.ts'
import { toSafeLine, toSafeText } from '../output/safe-text.ts'
import { usageError } from '../parse-options.ts'
import { askApprovals } from './ask-approvals.ts'
import type { Asking } from './open-asking.ts'
import { createTurnScreen, type ShownChunk } from './show-turn.ts'
import { usageText } from './usage-text.ts'

export interface OpenChat {
  context: Pick<CommandContext, 'environment' | 'screen'>
  client: HttpClient
  agent: string
  /** Known from the first turn on. */
  id: string | undefined
  /** Absent without a terminal. */
  asking: Asking | undefined
  /** Approvals answered here: those that need two people are still pending. */
  answered: Set<string>
  /** The last text shown did not end its line. */
  isLeftOpen: boolean
}

/** How a turn ended, or that it waits. */
export type TakenTurn = 'completed' | 'cancelled' | 'failed' | 'waiting'

/** One turn with all of its approvals. */
export async function takeTurn(chat: OpenChat, request: ChatRequest): Promise<TakenTurn> {
  const { client, agent, id } = chat
  const body = id === undefined ? request : { ...request, id }
  const path = `/agents/${encodeURIComponent(agent)}/chat`
  const stream = await client.stream(path, { method: 'POST', body })
  for (const { id: approval } of request.approvals ?? []) chat.answered.add(approval)
  return followTurn(chat, stream)
}

/** The conversation to continue, if it exists already. */
export async function findConversation(chat: OpenChat): Promise<ConversationDetail | undefined> {
  const { id, agent } = chat
  if (id === undefined) return undefined
  try {
    const found = await readConversation(chat, 1)
    if (found.agent === agent) return found
    throw usageError(
      `${id} is a conversation with ${found.agent}.`,
      `Run: toolcrib chat ${found.agent} --conversation ${id}`,
    )
  } catch (error) {
    // A conversation named by the user begins with the first message.
    const isOwnName = !id.startsWith('conv_')
    if (isOwnName && isToolError(error) && error.code === 'not_found') return undefined
    throw error
  }
}

/**
 * Asks for pending approvals of a conversation, or shows an answer in progress. Undefined if there
 * is neither.
 */
export async function catchUp(
  chat: OpenChat,
  found: ConversationDetail,
): Promise<TakenTurn | undefined> {
  const { id, waiting } = found
  chat.id = id
  if (waiting.length > 0) return answerWaiting(chat, waiting)
  if (!isUnderWay(found)) return showMissed(chat)
  const path = `/agents/${encodeURIComponent(chat.agent)}/chat/${encodeURIComponent(id)}/stream`
  return followTurn(chat, await chat.client.stream(path))
}

function isUnderWay({ status }: ConversationDetail): boolean {
  return status === 'queued' || status === 'running' || status === 'waiting'
}

/** Somebody else decided, and the turn has ended since. */
async function showMissed(chat: OpenChat): Promise<TakenTurn | undefined> {
  if (!chat.isLeftOpen) return undefined
  chat.isLeftOpen = false
  const query = { conversationId: chat.id, limit: 1 }
  const { items } = await chat.client.read<{ items: Run[] }>('/runs', { query })
  const [last] = items
  if (last === undefined) return undefined
  const { output, error } = await chat.client.read<Run>(`/runs/${last.id}`)
  if (output !== undefined && output !== '') chat.context.screen.out(toSafeText(output))
  if (error !== undefined) chat.context.screen.err(toSafeLine(`${error.code}: ${error.message}`))
  return undefined
}

async function followTurn(chat: OpenChat, messages: AsyncIterable<SseMessage>): Promise<TakenTurn> {
  chat.isLeftOpen = true
  const { status, turnId } = await readTurn(chat, messages).catch((error: unknown) => {
    // Disconnecting stops nothing.
    const { screen } = chat.context
    if (chat.id !== undefined && !screen.isJson) screen.err(`The agent goes on. ${wayOn(chat)}`)
    throw error
  })
  if (status === undefined && chat.id !== undefined) {
    const now = await readConversation(chat, 1)
    if (isUnderWay(now)) return answerWaiting(chat, now.waiting)
    // It ended between the question and the answer.
    await showMissed(chat)
    return 'completed'
  }
  chat.isLeftOpen = false
  if (turnId !== undefined) await showEnd(chat, turnId)
  return status === 'completed' || status === 'cancelled' ? status : 'failed'
}

/** The usage of a turn, for people at a terminal, and the fix of a failure for everybody. */
async function showEnd({ client, asking, context }: OpenChat, turnId: string): Promise<void> {
  const { screen } = context
  if (screen.isJson) return
  const { status, error, usage } = await client.read<Run>(`/runs/${turnId}`)
  if (status === 'cancelled') screen.err('Stopped.')
  if (error?.fix !== undefined)
    screen.err(`${screen.errStyle('cyan', '→')} ${toSafeText(error.fix)}`)
  if (asking !== undefined) screen.err(screen.errStyle('dim', usageText(usage)))
}

/**
 * Asks about the approvals a turn waits for, and continues it; shows the next steps if some stay
 * open.
 */
async function answerWaiting(chat: OpenChat, waiting: readonly Approval[]): Promise<TakenTurn> {
  const { asking, agent, answered } = chat
  const { screen } = chat.context
  chat.isLeftOpen = true
  const own = waiting.filter((one) => !one.isRequesterBarred && !answered.has(one.id))
  const approvals: ChatDecision[] =
    asking === undefined ? [] : await askApprovals(own, { screen, agent, ask: asking.ask })
  if (approvals.length > 0) return takeTurn(chat, { approvals })
  for (const one of waiting) {
    const whom = own.includes(one) ? 'a person' : 'another person'
    screen.err(`${toSafeLine(one.tool)} waits for ${whom}. → toolcrib approve ${one.id}`)
  }
  screen.err(wayOn(chat))
  return 'waiting'
}

function wayOn({ agent, id }: OpenChat): string {
  return `→ toolcrib chat ${agent} --conversation ${id}`
}

export function readConversation(
  { client, id = '' }: Pick<OpenChat, 'client' | 'id'>,
  limit: number,
): Promise<ConversationDetail> {
  return client.read(`/conversations/${encodeURIComponent(id)}`, { query: { limit } })
}

/** Shows a turn until it ends, or waits for a person: then it has no status. */
async function readTurn(
  chat: OpenChat,
  messages: AsyncIterable<SseMessage>,
): Promise<{ status: string | undefined; turnId: string | undefined }> {
  const { client } = chat
  const { screen } = chat.context
  const show = screen.isJson ? screen.json : createTurnScreen(screen)
  let turnId: string | undefined
  const stopHearing = onStop(chat, () => {
    if (turnId !== undefined) void cancel(client, turnId)
  })
  let status: string | undefined
  try {
    for await (const { text } of messages) {
      if (text === '[DONE]') break
      const chunk = JSON.parse(text) as ShownChunk
      const { messageMetadata } = chunk
      turnId ??= messageMetadata?.turnId
      // The id instead of the user's name for it: only the id can be read.
      chat.id = messageMetadata?.conversationId ?? chat.id
      status = messageMetadata?.status ?? status
      show(chunk)
    }
  } finally {
    stopHearing()
    // The text may have ended in the middle of a line.
    if (!screen.isJson) show({ type: 'abort' })
  }
  return { status, turnId }
}

/** Ctrl-C at the terminal, or a signal from elsewhere. */
function onStop({ context, asking }: OpenChat, listener: () => void): () => void {
  const stops = [context.environment.onSignal(listener), asking?.onInterrupt(listener)]
  return () => {
    for (const stop of stops) stop?.()
  }
}

/** The turn may have ended since; then there is nothing to stop. */
async function cancel(client: HttpClient, turnId: string): Promise<void> {
  await client.send(`/runs/${turnId}/cancel`, { method: 'POST' }).catch(() => undefined)
}
