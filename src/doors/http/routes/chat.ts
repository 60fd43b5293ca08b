import type { TurnStream } from '../../../core/conversations/conversation-api.ts'
import { chatRequest } from '../../../features/conversations/schemas.ts'
import { onHangUp } from '../request/http-request.ts'
import { slugParam } from '../request/route-params.ts'
import { isShortText } from '../../../core/kernel/text/short-text.ts'
import { toProblem, toProblemSource } from '../problem.ts'
import { empty } from '../reply.ts'
import type { Reply } from '../reply.ts'
import { defineRoute } from '../route.ts'
import type { Asked, Route } from '../route.ts'
import { eventStreamReply, heartbeat } from '../streams/event-stream.ts'
import type { Frames } from '../streams/event-stream.ts'
import { whileAllowed } from '../streams/while-allowed.ts'
import { ToolError } from '../../../core/kernel/errors.ts'

const tag = 'Conversations'
const streamAnswer = {
  description: 'The UI message stream of the AI SDK, version 1',
  types: ['text/event-stream'],
}

const chat = defineRoute({
  method: 'post',
  path: '/api/v1/agents/{slug}/chat',
  tag,
  summary: 'Talk to an agent',
  description: [
    'The protocol of `useChat` with `DefaultChatTransport`. A new `id` begins a conversation; the stored one is the truth, so of `messages` only the last counts. Needs `agents.chat`.',
    'Where a call waits for a person the stream ends with `tool-approval-request`; answer with the approval response in the last message, or with `approvals`, or at `/approvals`. While a turn is under way, or waits, other messages are refused with `conversation_busy`. Hanging up does not stop the turn: `POST /runs/{id}/cancel` does.',
  ].join('\n\n'),
  params: { slug: 'The agent' },
  body: { isRequired: true, schema: chatRequest },
  answers: { 200: streamAnswer, 409: { description: 'A turn is under way, or waits' } },
  async handle(asked) {
    const { door, caller, body, request } = asked
    return streamTurn(asked, (signal) =>
      door.api.chat(caller, { ...body, agent: slugParam(request) }, signal),
    )
  },
})

const resumeChat = defineRoute({
  method: 'get',
  path: '/api/v1/agents/{slug}/chat/{conversation}/stream',
  tag,
  summary: 'Read along again',
  description:
    'The turn under way from its beginning, and then what comes, on whichever node it runs. 204 when nothing runs.',
  params: { slug: 'The agent', conversation: 'The conversation, by either name' },
  answers: { 200: streamAnswer, 204: { description: 'Nothing runs' } },
  async handle(asked) {
    const { door, caller, request } = asked
    const id = request.param('conversation')
    if (!isShortText(id)) throw new ToolError('not_found', 'There is no such conversation')
    return streamTurn(asked, (signal) =>
      door.api.resumeChat(caller, { agent: slugParam(request), conversationId: id }, signal),
    )
  },
})

type AnyAsked = Pick<
  Asked<unknown, unknown>,
  'door' | 'caller' | 'request' | 'requestId' | 'recheck'
>

async function streamTurn(
  asked: AnyAsked,
  open: (signal: AbortSignal) => Promise<TurnStream | undefined>,
): Promise<Reply> {
  const { door, caller } = asked
  const reading = new AbortController()
  let isLeaving = false
  const closeStream = door.streams.open(caller, () => {
    isLeaving = true
    reading.abort()
  })
  const onClose = () => {
    reading.abort()
    closeStream()
  }
  onHangUp(asked.request, onClose)
  try {
    const turn = await open(reading.signal)
    if (turn === undefined) {
      onClose()
      return empty(204)
    }
    const frames = whileAllowed(toFrames(turn, { ...asked, isLeaving: () => isLeaving }), asked)
    const reply = eventStreamReply(frames, onClose)
    return {
      ...reply,
      headers: [
        ...(reply.headers ?? []),
        'x-vercel-ai-ui-message-stream',
        'v1',
        'x-conversation-id',
        turn.conversationId,
        'x-run-id',
        turn.turnId,
      ],
    }
  } catch (error) {
    onClose()
    throw error
  }
}

async function* toFrames(
  { chunks }: TurnStream,
  {
    request,
    requestId,
    isLeaving,
  }: Pick<AnyAsked, 'request' | 'requestId'> & { isLeaving(): boolean },
): AsyncGenerator<Frames, void> {
  let isWhole = false
  // The headers alone do not reach a client behind some proxies: say something at once.
  yield heartbeat
  try {
    for await (const some of chunks) {
      isWhole ||= some.some((chunk) => (chunk as { type?: string }).type === 'finish')
      yield some.length === 0
        ? heartbeat
        : some.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')
    }
  } catch (error) {
    const { code, detail } = toProblem(toProblemSource(error, requestId), { requestId })
    yield `data: ${JSON.stringify({ type: 'error', errorText: `${code}: ${detail}` })}\n\n`
  }
  // Ended in good order, half an answer would pass for the whole. Clients come back for the rest of one
  // whose connection broke.
  if (!isLeaving() || isWhole) yield 'data: [DONE]\n\n'
  else if (request.hangUp?.() !== true) {
    throw new ToolError('shutting_down', 'The server is stopping')
  }
}

export const chatRoutes: readonly Route[] = [chat, resumeChat]
