import { z } from 'zod'
import {
  type Approval,
  type ApprovalRule,
  approvalStatuses,
} from '../../core/approvals/approval.ts'
import {
  errorCodeNames,
  issue,
  jsonValue,
  principal,
  shortText,
  time,
} from '../../core/operations/fields.ts'
import { previewFields } from '../tools/preview-schemas.ts'

const decisions = z.enum(['approve', 'reject'])
const maxReasonChars = 2000

const approvalPreview = z
  .object({
    state: z.enum(['made', 'unavailable']),
    at: time,
    callId: z.string().optional().meta({ description: 'The call that made it' }),
    binds: z.boolean().meta({
      description: 'The call waits for approval again if the changes are others when it runs',
    }),
    isForThisCall: z
      .literal(true)
      .optional()
      .meta({ description: "Every call needs its own approval: it can't be remembered" }),
    ...z.object(previewFields).partial().shape,
    error: z
      .object({ code: z.enum(errorCodeNames), message: z.string() })
      .optional()
      .meta({ description: 'Why it is unavailable' }),
    previous: z.object(previewFields).optional().meta({
      description: 'The preview that was approved, if it has changed since',
    }),
    timesChanged: z.int().optional(),
  })
  .meta({ id: 'ApprovalPreview', description: 'The changes that the call would make' })

export const approval: z.ZodType<Approval> = z
  .object({
    id: z.string(),
    tenant: z.string(),
    callId: z.string(),
    tool: z.string(),
    input: jsonValue,
    revision: z.int().meta({ description: 'Incremented when someone edits the input' }),
    reasons: z.array(z.string()),
    requestedBy: z.object({ principal, agent: z.string().optional() }),
    sessionId: z.string().optional(),
    status: z.enum(approvalStatuses),
    createdAt: time,
    expiresAt: time,
    decidedAt: time.optional(),
    needed: z.int().meta({ description: 'How many different people must approve' }),
    approvers: z.array(z.string()).optional(),
    isRequesterBarred: z.boolean(),
    decisions: z.array(
      z.object({
        by: principal,
        person: principal.optional().meta({
          description: 'For a key: the person who owns it. People are counted, not keys',
        }),
        decision: decisions,
        at: time,
        reason: z.string().optional(),
        isEdited: z.boolean(),
        revision: z.int(),
      }),
    ),
    preview: approvalPreview.optional(),
  })
  .meta({ id: 'Approval' })

const decisionFields = {
  decision: decisions,
  input: jsonValue.optional().meta({ description: 'Run the call with this input instead' }),
  reason: z
    .string()
    .max(maxReasonChars)
    .refine(isStorable, 'has characters that cannot be stored')
    .optional()
    .meta({ description: 'The caller and its model see the reason of a rejection' }),
  revision: z
    .int()
    .min(0)
    .optional()
    .meta({ description: 'The revision you looked at; 409 when it was edited since' }),
  remember: z
    .strictObject({
      for: shortText('How long, at most 30d').meta({ example: '2h' }),
      match: z
        .union([z.enum(['same-input', 'any-input']), z.record(z.string(), jsonValue)])
        .optional()
        .meta({
          description:
            'The same input (the default), any input (not for destructive tools), or the part of the input that must be equal, with `*` in strings',
        }),
    })
    .optional()
    .meta({ description: 'Let similar calls through without asking' }),
}

export const decisionRequest = z.strictObject(decisionFields).meta({ id: 'DecisionRequest' })

export const decisionsRequest = z
  .strictObject({
    decisions: z
      .array(z.strictObject({ id: shortText('The approval'), ...decisionFields }))
      .min(1)
      .max(100),
  })
  .meta({ id: 'DecisionsRequest' })

/** The answer to one decision of several. */
export const decisionAnswer = z
  .object({
    id: z.string(),
    approval: approval.optional(),
    error: z
      .object({
        code: z.string(),
        message: z.string(),
        issues: z.array(issue).readonly().optional(),
      })
      .optional(),
  })
  .meta({ id: 'DecisionAnswer' })
export type DecisionAnswer = z.output<typeof decisionAnswer>

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
    person: principal.optional().meta({ description: 'For a key: the person who owns it' }),
    createdAt: time,
    expiresAt: time,
    revokedAt: time.optional(),
  })
  .meta({ id: 'ApprovalRule' })

/** The database takes neither NUL nor half a surrogate pair. */
function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}
