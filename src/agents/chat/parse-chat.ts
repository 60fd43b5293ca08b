import { z } from 'zod'
import type { ChatDecision, ChatRequest } from '../../core/conversations/conversation-api.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { isToolPart, type Part } from '../turn/ui-parts.ts'
import { parseFile, type SaidFile } from './parse-file.ts'
import { readWith } from '../../core/schema/read-with.ts'

/** The content of a chat request, without anything that need not be trusted. */
export type ChatIntent =
  | { kind: 'say'; message: SaidMessage; replaces?: string }
  | { kind: 'again'; messageId?: string }
  | { kind: 'answer'; answers: readonly ChatDecision[] }

/** A person's message: text and files, and nothing else. */
export interface SaidMessage {
  id: string
  parts: readonly ({ type: 'text'; text: string } | SaidFile)[]
}

const maxText = 200_000
const maxParts = 50
const isId = z.string().min(1).max(200)

const saidSchema = z.looseObject({
  id: isId.optional(),
  role: z.enum(['user', 'assistant', 'system']),
  parts: z.array(z.looseObject({ type: z.string().max(100) })).max(10_000),
})

/**
 * Reads a request of an AI SDK client. The stored conversation is the truth: of the history in the
 * request only the last message counts, and of it only parts a person can write. An assistant's
 * message there can do one thing: answer approvals, which are looked up again.
 */
export function parseChat(request: ChatRequest, createMessageId: () => string): ChatIntent {
  if (request.approvals !== undefined && request.approvals.length > 0) {
    return { kind: 'answer', answers: request.approvals }
  }
  if (request.trigger === 'regenerate-message') {
    const { messageId } = request
    return { kind: 'again', ...(messageId !== undefined && { messageId }) }
  }
  const message = parseMessage(request.message ?? request.messages?.at(-1))
  if (message.role === 'assistant') return { kind: 'answer', answers: answersIn(message.parts) }
  if (message.role === 'system') throw invalid('A client cannot send system messages')
  const { messageId } = request
  const said = { id: message.id ?? createMessageId(), parts: partsOf(message.parts) }
  return { kind: 'say', message: said, ...(messageId !== undefined && { replaces: messageId }) }
}

function partsOf(given: readonly Part[]): SaidMessage['parts'] {
  const parts = given.slice(0, maxParts + 1).flatMap(toSaid)
  if (parts.length === 0) throw invalid('There is nothing in the message: send a text or a file')
  if (parts.length > maxParts) throw invalid(`A message has at most ${maxParts} parts`)
  return parts
}

function parseMessage(value: unknown): z.output<typeof saidSchema> {
  if (typeof value === 'string') return { role: 'user', parts: [{ type: 'text', text: value }] }
  const parsed = readWith(saidSchema, value)
  if (parsed.ok) return parsed.value
  throw invalid('The last message must be one of the AI SDK: { id, role, parts }')
}

function toSaid(part: Part): SaidMessage['parts'][number][] {
  if (part.type === 'file') return [parseFile(part)]
  if (part.type !== 'text' || typeof part['text'] !== 'string') return []
  const text = part['text']
  if (text.length > maxText) throw invalid(`A text has at most ${maxText} characters`)
  return text.trim() === '' ? [] : [{ type: 'text', text }]
}

/** A person's decisions, as clients write them into the assistant's message. */
function answersIn(parts: readonly Part[]): ChatDecision[] {
  const answers = parts.filter(isToolPart).flatMap(({ state, approval }) => {
    if (state !== 'approval-responded' || typeof approval?.approved !== 'boolean') return []
    const { id: approvalId, approved, reason } = approval
    if (!isId.safeParse(approvalId).success) return []
    const answer = { id: approvalId, approved }
    return [typeof reason === 'string' ? { ...answer, reason } : answer]
  })
  if (answers.length > 0) return answers
  throw invalid("The last message is the agent's own, and answers nothing that waits")
}

function invalid(message: string): ToolError {
  return new ToolError('invalid_request', message)
}
