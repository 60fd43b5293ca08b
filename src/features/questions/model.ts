import type { Principal } from '../../core/kernel/call.ts'
import type { JsonSchema, JsonValue } from '../../core/kernel/json.ts'
import type { FormSpec } from '../../core/kernel/views/form-spec.ts'

/** A question is pending until the first of the others happens. */
export const questionStatuses = ['pending', 'answered', 'declined', 'expired', 'withdrawn'] as const

export type QuestionStatus = (typeof questionStatuses)[number]

/** How a question ended, and by whom unless by itself. */
export interface QuestionEnd {
  status: Exclude<QuestionStatus, 'pending' | 'withdrawn'>
  at: number
  by?: Principal | undefined
  /** For a key: the person who owns it. */
  person?: Principal | undefined
  /** Without secrets. */
  answer?: JsonValue | undefined
  reason?: string | undefined
}

/** A question as it is stored. */
export interface StoredQuestion {
  id: string
  tenant: string
  /** The call that its answer ends. */
  callId: string
  title: string
  text?: string | undefined
  schema: JsonSchema
  form?: FormSpec | undefined
  /** As it was asked: `requester`, `role:operator`, `user:…`. */
  to: readonly string[]
  /** The same as keys of callers; see `addressees.ts`. */
  people: readonly string[]
  askedBy: { principal: Principal; agent?: string | undefined }
  sessionId?: string | undefined
  createdMs: number
  expiresMs: number
  remindEveryMs?: number | undefined
  /** When people are reminded next. */
  remindMs?: number | undefined
  /** How often they were reminded. */
  reminders: number
  onExpiry?: JsonValue | undefined
  status: QuestionStatus
  end?: Omit<QuestionEnd, 'status'> | undefined
}

/** A question as doors show it to one caller. */
export interface Question {
  id: string
  callId: string
  title: string
  text?: string | undefined
  schema: JsonSchema
  form?: FormSpec | undefined
  to: readonly string[]
  askedBy: StoredQuestion['askedBy']
  sessionId?: string | undefined
  status: QuestionStatus
  createdAt: string
  expiresAt: string
  reminders: number
  remindAt?: string | undefined
  /** This caller may answer and decline it now. */
  mayAnswer: boolean
  answer?: JsonValue | undefined
  reason?: string | undefined
  answeredBy?: Principal | undefined
  person?: Principal | undefined
  endedAt?: string | undefined
}

/** `isAddressed`: the caller is among the people asked. */
export function toQuestion(stored: StoredQuestion, isAddressed: boolean): Question {
  const { id, callId, title, text, schema, form, to, askedBy, sessionId, status, end } = stored
  return {
    id,
    callId,
    title,
    ...(text !== undefined && { text }),
    schema,
    ...(form !== undefined && { form }),
    to,
    askedBy,
    ...(sessionId !== undefined && { sessionId }),
    status,
    createdAt: toIso(stored.createdMs),
    expiresAt: toIso(stored.expiresMs),
    reminders: stored.reminders,
    ...(stored.remindMs !== undefined &&
      status === 'pending' && { remindAt: toIso(stored.remindMs) }),
    mayAnswer: isAddressed && status === 'pending',
    ...(end !== undefined && toShownEnd(end)),
  }
}

function toShownEnd({ answer, reason, by, person, at }: Omit<QuestionEnd, 'status'>) {
  return {
    ...(answer !== undefined && { answer }),
    ...(reason !== undefined && { reason }),
    ...(by !== undefined && { answeredBy: by }),
    ...(person !== undefined && { person }),
    endedAt: toIso(at),
  }
}

function toIso(ms: number): string {
  return new Date(ms).toISOString()
}
