import { z } from '@hono/zod-openapi'
import { turnStatuses } from '../../../core/conversations/conversation.ts'
import type {
  ChatRequest,
  Run,
  RunRequest,
  TalkAgent,
} from '../../../core/conversations/talk-api.ts'
import { shortText } from '../request/query-fields.ts'
import { approval } from './approval-schemas.ts'
import { callError, jsonValue, principal, time } from './schemas.ts'

const kinds = ['chat', 'task', 'subagent', 'agent'] as const

export const conversationKind = z.enum(kinds)
export const turnStatus = z.enum(turnStatuses)

const answer = z.strictObject({
  id: shortText('The approval'),
  approved: z.boolean(),
  reason: z.string().max(2_000).optional(),
  input: jsonValue.optional().openapi({ description: 'Run the call with this instead' }),
})

/** Loose, because clients of the AI SDK send what their application adds. */
export const chatRequest: z.ZodType<ChatRequest> = z
  .looseObject({
    id: z.string().min(1).max(200).optional().openapi({
      description: 'Your name for the conversation, or the id it was given here',
    }),
    messages: z.array(z.unknown()).max(10_000).optional().openapi({
      description: 'Only the last one counts; the stored conversation is the truth',
    }),
    message: z.unknown().optional().openapi({ description: 'Or the last one alone, or a text' }),
    trigger: z
      .string()
      .max(100)
      .optional()
      .openapi({ description: '`regenerate-message` answers again' }),
    messageId: z
      .string()
      .min(1)
      .max(200)
      .nullish()
      .transform((value) => value ?? undefined),
    approvals: z
      .array(answer)
      .max(100)
      .optional()
      .openapi({ description: 'Answers to what waits' }),
  })
  .openapi('ChatRequest')

export const talkAgent: z.ZodType<TalkAgent> = z
  .object({
    slug: z.string(),
    name: z.string().optional(),
    description: z.string().optional(),
    model: z.string(),
    problem: callError.optional().openapi({ description: 'Why it could not answer now' }),
  })
  .openapi('TalkAgent')

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
    turnId: z.string().optional().openapi({ description: 'The turn under way' }),
    wireNames: z.record(z.string(), z.string()),
    messages: z.int(),
    createdAt: time,
    updatedAt: time,
  })
  .openapi('Conversation')

export const conversationDetail = conversation
  .extend({
    status: z.enum(['idle', ...turnStatuses]),
    items: z.array(message),
    next: z.int().optional(),
    waiting: z.array(approval),
  })
  .openapi('ConversationDetail')

export const runRequest: z.ZodType<RunRequest> = z
  .strictObject({
    prompt: z.string().min(1).max(200_000),
    conversationId: shortText('Go on with this conversation').optional(),
    maxSteps: z.int().min(1).max(100).optional(),
    timeoutMs: z.int().min(1_000).max(604_800_000).optional(),
  })
  .openapi('RunRequest')

const usage = {
  modelCalls: z.int(),
  cutOffCalls: z.int().optional().openapi({
    description:
      'Of these, those that were cut off before their provider said what they took: counted as far as it is known, or about',
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
    status: turnStatus,
    steps: z.int(),
    model: z.string().optional(),
    output: z.string().optional().openapi({ description: 'The text of the answer' }),
    finishReason: z.string().optional().openapi({
      description: 'Why the answer ended, where not by itself: `length`, `content-filter`, `other`',
    }),
    error: callError.optional(),
    usage: z.object({
      ...usage,
      sentOut: z
        .object(usage)
        .optional()
        .openapi({ description: 'What the agents used that it sent out, beside its own' }),
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
  .openapi('Run')
