import type { Selectable } from 'kysely'
import { toCallId, requireCallId } from '../../../store/log/call-id.ts'
import { parsePrincipal, toPrincipalText } from '../../../store/log/principal-text.ts'
import {
  toJsonText,
  toStoredMs,
  toStoredMsOrNull,
  toStoredText,
  toStoredTextOrNull,
} from '../../../store/log/stored-text.ts'
import type { QuestionEnd, QuestionStatus, StoredQuestion } from '../model.ts'
import type { QuestionsTable } from '../tables.ts'

const idPattern = /^qst_([0-9a-f]{32})$/

/** The uuid inside the id of a question; undefined for anything else, which then finds nothing. */
export function parseQuestionId(id: string): string | undefined {
  return idPattern.exec(id)?.[1]
}

/** Fields that are never searched. */
type Spec = Pick<
  StoredQuestion,
  'title' | 'text' | 'schema' | 'form' | 'to' | 'people' | 'remindEveryMs' | 'onExpiry'
>

/** The columns of a new question. */
export function toQuestionColumns(question: StoredQuestion) {
  return {
    tenant: toStoredText(question.tenant),
    id: parseQuestionId(question.id) ?? '',
    call_id: requireCallId(question.callId),
    status: question.status,
    principal: toPrincipalText(question.askedBy.principal),
    agent: toStoredTextOrNull(question.askedBy.agent),
    session_id: toStoredTextOrNull(question.sessionId),
    spec: toSpecText(question),
    created_ms: toStoredMs(question.createdMs),
    expires_ms: toStoredMs(question.expiresMs),
    remind_ms: toStoredMsOrNull(question.remindMs),
  }
}

/** The fields that are never searched, as one text. */
export function toSpecText(question: StoredQuestion): string {
  const { title, text, schema, form, to, people, remindEveryMs, onExpiry } = question
  const spec: Spec = { title, text, schema, form, to, people, remindEveryMs, onExpiry }
  return toJsonText(spec)
}

/** How it ended, without the status and time, which have columns. */
export function toEndingText({ by, person, answer, reason }: QuestionEnd): string {
  return toJsonText({ by, person, answer, reason })
}

export function toStoredQuestion(row: Selectable<QuestionsTable>): StoredQuestion {
  const spec = JSON.parse(row.spec) as Spec
  const ending = JSON.parse(row.ending ?? '{}') as Omit<QuestionEnd, 'status' | 'at'>
  return {
    id: `qst_${row.id.replaceAll('-', '')}`,
    tenant: row.tenant,
    callId: toCallId(row.call_id),
    ...spec,
    askedBy: {
      principal: parsePrincipal(row.principal),
      ...(row.agent !== null && { agent: row.agent }),
    },
    ...(row.session_id !== null && { sessionId: row.session_id }),
    createdMs: row.created_ms,
    expiresMs: row.expires_ms,
    ...(row.remind_ms !== null && { remindMs: row.remind_ms }),
    reminders: row.reminders,
    status: row.status as QuestionStatus,
    ...(row.ended_ms !== null && { end: { at: row.ended_ms, ...ending } }),
  }
}
