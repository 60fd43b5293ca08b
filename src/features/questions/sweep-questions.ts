import type { Principal } from '../../core/kernel/call.ts'
import type { NewEvent } from '../../core/events/event.ts'
import type { Sweep } from '../../core/work-ports.ts'
import { expireQuestion } from './end-question.ts'
import { nextReminder, whyNot } from './life.ts'
import type { StoredQuestion } from './model.ts'
import type { QuestionParts } from './parts.ts'

const atOnce = 100
const clock: Principal = { kind: 'system', id: 'toolcrib' }

/** Ends expired questions, sends reminders, and records withdrawn questions. Every node runs it. */
export function createQuestionSweep(parts: QuestionParts): Sweep {
  return {
    name: 'questions',
    everyMs: 1000,
    // Every call that settles wakes the others; nothing here depends on that.
    isWoken: false,
    async run() {
      const due = await parts.questions.listDue(parts.now(), atOnce)
      let done = 0
      for (const question of due) if (await attend(question, parts)) done += 1
      return done + (await tellWithdrawn(parts))
    },
  }
}

/** One that fails does not hold up the others; it is found again. */
async function attend(question: StoredQuestion, parts: QuestionParts): Promise<boolean> {
  try {
    if (await expireQuestion(question, parts)) return true
    return await remind(question, parts)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    parts.onWarning(`The deadline of question ${question.id} could not be handled: ${reason}`)
    return false
  }
}

async function remind(question: StoredQuestion, parts: QuestionParts): Promise<boolean> {
  const at = parts.now()
  if (whyNot(question, 'reminded', at) !== undefined) return false
  const data = { questionId: question.id, count: question.reminders + 1 }
  const told: NewEvent = { type: 'question.reminded', at, data }
  return parts.questions.remind(question, nextReminder(question, at), told)
}

function tellWithdrawn({ questions }: QuestionParts): Promise<number> {
  return questions.tellWithdrawn(({ id: questionId, callId, end }) => {
    const data = { questionId, callId }
    const at = end?.at
    return {
      principal: clock,
      event: { type: 'question.withdrawn', data, ...(at !== undefined && { at }) },
    }
  }, atOnce)
}
