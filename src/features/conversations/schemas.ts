import { z } from 'zod'
import { turnStatuses } from '../../core/conversations/conversation.ts'
import type {
  ChatAgent,
  ChatRequest,
  ConversationDetail,
  Run,
} from '../../core/conversations/conversation-api.ts'
import { callError, jsonValue, principal, shortText, time } from '../../core/operations/fields.ts'
import { approval } from '../approvals/schemas.ts'

const kinds = ['chat', 'task', 'subagent', 'agent'] as const

export const conversationKind = z.enum(kinds)
export const turnStatus = z.enum(turnStatuses)

const answer = z.strictObject({
  id: shortText('The approval'),
  approved: z.boolean(),
  reason: z.string().max(2_000).optional(),
  input: jsonValue.optional().meta({ description: 'Run the call with this instead' }),
})

/** Loose, because clients of the AI SDK may add their own fields. */
export const chatRequest: z.ZodType<ChatRequest> = z
  .looseObject({
    id: z.string().min(1).max(200).optional().meta({
      description: 'Your name for the conversation, or the id it has here',
    }),
    messages: z.array(z.unknown()).max(10_000).optional().meta({
      description: 'Only the last message is read; the stored conversation is authoritative',
    }),
    message: z
      .unknown()
      .optional()
      .meta({ description: 'Alternatively only the last message, or a string' }),
    trigger: z
      .string()
      .max(100)
      .optional()
      .meta({ description: '`regenerate-message` answers again' }),
    messageId: z
      .string()
      .min(1)
      .max(200)
      .nullish()
      .transform((value) => value ?? undefined),
    approvals: z.array(answer).max(100).optional().meta({ description: 'Answers to what waits' }),
  })
  .meta({ id: 'ChatRequest' })

export const chatAgent: z.ZodType<ChatAgent> = z
  .object({
    slug: z.string(),
    name: z.string().optional(),
    description: z.string().optional(),
    model: z.string(),
    problem: callError.optional().meta({ description: 'Why it could not answer now' }),
  })
  .meta({ id: 'ChatAgent' })

const message = z.object({
  id: z.string(),
  role: z.enum(['user', 'assistant', 'system']),
  parts: z.array(jsonValue),
  metadata: jsonValue.optional(),
  position: z.int(),
  turnId: z.string().optional(),
  createdAt: time,
})

export const conversation = z
  .object({
    id: z.string(),
    tenant: z.string(),
    agent: z.string(),
    principal,
    kind: conversationKind,
    clientId: z.string().optional(),
    title: z.string().optional(),
    turnId: z.string().optional().meta({ description: 'The turn under way' }),
    wireNames: z.record(z.string(), z.string()),
    messages: z.int(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Conversation' })

export const conversationDetail: z.ZodType<ConversationDetail> = conversation
  .extend({
    status: z.enum(['idle', ...turnStatuses]),
    items: z.array(message),
    next: z.int().optional(),
    waiting: z.array(approval),
  })
  .meta({ id: 'ConversationDetail' })

export const runRequest = z
  .strictObject({
    prompt: z.string().min(1).max(200_000),
    conversationId: shortText('Continue this conversation').optional(),
    maxSteps: z.int().min(1).max(100).optional(),
    timeoutMs: z.int().min(1_000).max(604_800_000).optional(),
  })
  .meta({ id: 'RunRequest' })

const usage = {
  modelCalls: z.int(),
  cutOffCalls: z.int().optional().meta({
    description:
      'Those of them that were interrupted before the provider reported their usage: counted as known, or estimated',
  }),
  inputTokens: z.number(),
  outputTokens: z.number(),
  cachedTokens: z.number(),
  cost: z.number(),
}

export const run: z.ZodType<Run> = z
  .object({
    id: z.string(),
    agent: z.string(),
    conversationId: z.string(),
    title: z
      .string()
      .optional()
      .meta({ description: 'The first words of its conversation; only in lists' }),
    status: turnStatus,
    steps: z.int(),
    model: z.string().optional(),
    output: z.string().optional().meta({ description: 'The text of the answer' }),
    finishReason: z.string().optional().meta({
      description: 'Why the answer ended early: `length`, `content-filter`, `other`',
    }),
    error: callError.optional(),
    usage: z.object({
      ...usage,
      sentOut: z
        .object(usage)
        .optional()
        .meta({ description: 'Usage of the sub-agents that it started, in addition to its own' }),
    }),
    waiting: z
      .array(
        z.object({
          id: z.string(),
          callId: z.string(),
          tool: z.string(),
          input: jsonValue,
          reasons: z.array(z.string()),
          expiresAt: time,
        }),
      )
      .optional(),
    parentCallId: z.string().optional(),
    createdAt: time,
    settledAt: time.optional(),
  })
  .meta({ id: 'Run' })
