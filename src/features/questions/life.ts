import { ToolError } from '../../core/kernel/errors.ts'
import type { QuestionEnd, QuestionStatus, StoredQuestion } from './model.ts'

// The rules of a question's life, without the store. Statements of the store guard the same rules,
// because two nodes may act at once.

/** A step in the life of a pending question. */
export type QuestionStep = QuestionEnd['status'] | 'withdrawn' | 'reminded' | 'reassigned'

const reasons: Readonly<Record<Exclude<QuestionStatus, 'pending'>, string>> = {
  answered: 'It has already been answered',
  declined: 'Somebody has declined to answer it',
  expired: 'It has expired',
  withdrawn: 'Its call has ended',
}

/** Why this step is not possible now; undefined if it is. */
export function whyNot(
  { status, expiresMs, remindMs }: Pick<StoredQuestion, 'status' | 'expiresMs' | 'remindMs'>,
  step: QuestionStep,
  nowMs: number,
): ToolError | undefined {
  if (status !== 'pending') return questionOver(status)
  const isOver = nowMs >= expiresMs
  if (step === 'expired') return isOver ? undefined : notYet()
  if (step === 'withdrawn') return undefined
  if (isOver) return questionOver('expired')
  if (step !== 'reminded') return undefined
  return remindMs !== undefined && nowMs >= remindMs ? undefined : notYet()
}

/** The error for a step that comes too late: another was first, or the call ended. */
export function whyOver(now: Pick<StoredQuestion, 'status'> | undefined): ToolError {
  return questionOver(now === undefined || now.status === 'pending' ? 'withdrawn' : now.status)
}

function questionOver(status: Exclude<QuestionStatus, 'pending'>): ToolError {
  return new ToolError('already_settled', `${reasons[status]}; there is nothing left to answer`)
}

function notYet(): ToolError {
  return new ToolError('conflict', 'It is not time for that yet')
}

/**
 * The next reminder after this time, on the rhythm of the first. Those that were missed while no
 * server ran are left out, and there is none once the question has expired.
 */
export function nextReminder(
  {
    createdMs,
    expiresMs,
    remindEveryMs,
  }: Pick<StoredQuestion, 'createdMs' | 'expiresMs' | 'remindEveryMs'>,
  afterMs: number,
): number | undefined {
  if (remindEveryMs === undefined) return undefined
  const passed = Math.max(0, Math.floor((afterMs - createdMs) / remindEveryMs))
  const next = createdMs + (passed + 1) * remindEveryMs
  return next < expiresMs ? next : undefined
}
