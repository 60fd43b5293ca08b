import type { Approval } from '../../../core/approvals/approval.ts'
import type {
  ApprovalAnswer,
  ChatRequest,
  ConversationDetail,
} from '../../../core/conversations/talk-api.ts'
import { isToolError } from '../../../core/errors.ts'
import type { HttpClient } from '../client/http-client.ts'
import type { CommandContext } from '../command.ts'
import { toSafeLine } from '../output/safe-text.ts'
import { usageError } from '../parse-options.ts'
import { askApprovals } from './ask-approvals.ts'
import type { Asking } from './open-asking.ts'
import { createTurnScreen, type ShownChunk } from './show-turn.ts'

export interface Talk {
  context: Pick<CommandContext, 'environment' | 'screen'>
  client: HttpClient
  agent: string
  /** Known from the first turn on. */
  id: string | undefined
  /** Absent where nobody can be asked. */
  asking: Asking | undefined
}

/** How a turn stands when nothing more comes of it for now. */
export type TurnEnd = 'completed' | 'cancelled' | 'failed' | 'waiting'

/** One turn with all that is asked in it. */
export async function takeTurn(talk: Talk, request: ChatRequest): Promise<TurnEnd> {
  const status = await readTurn(talk, request)
  if (status === 'completed' || status === 'cancelled') return status
  if (status !== undefined || talk.id === undefined) return 'failed'
  const { waiting } = await readConversation(talk, 1)
  return answerWaiting(talk, waiting)
}

/** Asks about what a turn waits for and goes on with it; says the way on where it stays open. */
export async function answerWaiting(talk: Talk, waiting: readonly Approval[]): Promise<TurnEnd> {
  const { asking, agent, id } = talk
  const { screen } = talk.context
  const approvals: ApprovalAnswer[] =
    asking === undefined ? [] : await askApprovals(waiting, screen, asking.ask)
  if (approvals.length > 0) return takeTurn(talk, { approvals })
  for (const { id: approval, tool } of waiting) {
    screen.err(`${toSafeLine(tool)} waits for a person. → toolcrib approve ${approval}`)
  }
  screen.err(`→ toolcrib chat ${agent} --conversation ${id}`)
  return 'waiting'
}

/** What waits in a conversation that somebody goes on with. */
export async function findWaiting(talk: Talk): Promise<readonly Approval[]> {
  const { id, agent } = talk
  if (id === undefined) return []
  try {
    const { waiting, agent: whose } = await readConversation(talk, 1)
    if (whose === agent) return waiting
    throw usageError(
      `${id} is a conversation with ${whose}.`,
      `Run: toolcrib chat ${whose} --conversation ${id}`,
    )
  } catch (error) {
    // Under a name of one's own a conversation begins with the first message.
    const isOwnName = !id.startsWith('conv_')
    if (isOwnName && isToolError(error) && error.code === 'not_found') return []
    throw error
  }
}

export function readConversation(
  { client, id = '' }: Pick<Talk, 'client' | 'id'>,
  limit: number,
): Promise<ConversationDetail> {
  return client.read(`/conversations/${encodeURIComponent(id)}`, { query: { limit } })
}

/** Shows a turn until it ends (its status), or waits for a person (nothing). */
async function readTurn(talk: Talk, request: ChatRequest): Promise<string | undefined> {
  const { client, agent } = talk
  const { screen } = talk.context
  const body = talk.id === undefined ? request : { ...request, id: talk.id }
  const path = `/agents/${encodeURIComponent(agent)}/chat`
  const show = createTurnScreen(screen)
  let turnId: string | undefined
  const stopHearing = onStop(talk, () => {
    if (turnId !== undefined) void cancel(client, turnId)
  })
  let status: string | undefined
  try {
    for await (const { text } of await client.stream(path, { method: 'POST', body })) {
      if (text === '[DONE]') break
      const chunk = JSON.parse(text) as ShownChunk
      const { messageMetadata } = chunk
      turnId ??= messageMetadata?.turnId
      // Its id in place of a name of one's own: only by that it can be read.
      talk.id = messageMetadata?.conversationId ?? talk.id
      status = messageMetadata?.status ?? status
      if (screen.isJson) screen.json(chunk)
      else show(chunk)
    }
  } finally {
    stopHearing()
  }
  return status
}

/** Ctrl-C at the terminal, or a signal from elsewhere. */
function onStop({ context, asking }: Talk, listener: () => void): () => void {
  const stops = [context.environment.onSignal(listener), asking?.onInterrupt(listener)]
  return () => {
    for (const stop of stops) stop?.()
  }
}

/** It may have ended meanwhile, and then there is nothing to stop. */
async function cancel(client: HttpClient, turnId: string): Promise<void> {
  await client.send(`/runs/${turnId}/cancel`, { method: 'POST' }).catch(() => undefined)
}
