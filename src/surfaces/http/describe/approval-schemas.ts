import { z } from '@hono/zod-openapi'
import { approvalStatuses } from '../../../core/approvals/approval.ts'
import type {
  Approval,
  ApprovalRule,
  BatchAnswer,
  DecisionRequest,
} from '../../../core/approvals/approval.ts'
import { shortText } from '../request/query-fields.ts'
import { issue, jsonValue, principal, time } from './schemas.ts'

const decisions = z.enum(['approve', 'reject'])

export const approval: z.ZodType<Approval> = z
  .object({
    id: z.string(),
    tenant: z.string(),
    callId: z.string(),
    tool: z.string(),
    input: jsonValue,
    revision: z.int().openapi({ description: 'Counts up when somebody edits the input' }),
    reasons: z.array(z.string()),
    requestedBy: z.object({ principal, agent: z.string().optional() }),
    sessionId: z.string().optional(),
    status: z.enum(approvalStatuses),
    createdAt: time,
    expiresAt: time,
    decidedAt: time.optional(),
    needed: z.int().openapi({ description: 'How many different people must say yes' }),
    approvers: z.array(z.string()).optional(),
    isRequesterBarred: z.boolean(),
    decisions: z.array(
      z.object({
        by: principal,
        person: principal
          .optional()
          .openapi({ description: 'Of a key: the person it belongs to. People are counted' }),
        decision: decisions,
        at: time,
        reason: z.string().optional(),
        isEdited: z.boolean(),
        revision: z.int(),
      }),
    ),
  })
  .openapi('Approval')

const decisionFields = {
  decision: decisions,
  input: jsonValue.optional().openapi({ description: 'Run the call with this instead' }),
  reason: z
    .string()
    .max(2000)
    .optional()
    .openapi({ description: 'Of a rejection, the caller and its model are told it' }),
  revision: z
    .int()
    .min(0)
    .optional()
    .openapi({ description: 'The revision that was looked at; 409 when it was edited since' }),
  remember: z
    .strictObject({
      for: shortText('How long, at most 30d').openapi({ example: '2h' }),
      match: z
        .union([z.enum(['same-input', 'any-input']), z.record(z.string(), jsonValue)])
        .optional()
        .openapi({
          description:
            'The same input (unless said), any input (not for destructive tools), or a part of the input that must be equal, with `*` in texts',
        }),
    })
    .optional()
    .openapi({ description: 'Let like calls through without asking' }),
}

export const decisionBody: z.ZodType<DecisionRequest> = z
  .strictObject(decisionFields)
  .openapi('DecisionRequest')

export const batchBody: z.ZodType<{ decisions: (DecisionRequest & { id: string })[] }> = z
  .strictObject({
    decisions: z
      .array(z.strictObject({ id: shortText('The approval'), ...decisionFields }))
      .min(1)
      .max(100),
  })
  .openapi('DecisionsRequest')

export const batchAnswer: z.ZodType<BatchAnswer> = z
  .object({
    id: z.string(),
    approval: approval.optional(),
    error: z
      .object({ code: z.string(), message: z.string(), issues: z.array(issue).optional() })
      .optional(),
  })
  .openapi('DecisionAnswer')

export const approvalRule: z.ZodType<ApprovalRule> = z
  .object({
    id: z.string(),
    tenant: z.string(),
    tool: z.string(),
    agent: z.string().optional(),
    principal: principal.optional(),
    onBehalfOf: principal.optional(),
    reasons: z.array(z.string()),
    input: z.union([
      z.object({ kind: z.literal('same'), input: jsonValue }),
      z.object({ kind: z.literal('pattern'), pattern: jsonValue }),
      z.object({ kind: z.literal('any') }),
    ]),
    approvalId: z.string(),
    createdBy: principal,
    person: principal.optional().openapi({ description: 'Of a key: the person it belongs to' }),
    createdAt: time,
    expiresAt: time,
    revokedAt: time.optional(),
  })
  .openapi('ApprovalRule')
