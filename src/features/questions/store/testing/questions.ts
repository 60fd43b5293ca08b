import { createId } from '../../../../core/kernel/ids.ts'
import type { NewEvent } from '../../../../core/events/event.ts'
import { eventOf, settlementOf, startOf } from '../../../../store/contract/records.ts'
import type { OpenStore } from '../../../../store/open-store.ts'
import type { QuestionEnd, StoredQuestion } from '../../model.ts'
import type { QuestionStore } from '../../question-store.ts'
import { createQuestionStore } from '../question-store.ts'

/** Long ago, so that nothing of another test is due before it. */
export const noon = Date.parse('2001-01-01T12:00:00Z')
export const hour = 3_600_000
const ada = { kind: 'user', id: 'ada' } as const

export function questionsOf({ engine, calls }: Pick<OpenStore, 'engine' | 'calls'>): QuestionStore {
  return createQuestionStore(engine, calls)
}

/** A pending question of a call that waits for its answer. */
export async function askedIn(
  store: OpenStore,
  tenant: string,
  more: Partial<StoredQuestion> = {},
): Promise<StoredQuestion> {
  const call = startOf(tenant, { tool: 'flow.ask', execution: 'external' })
  await store.calls.open(call)
  const question = aQuestion(tenant, { callId: call.callId, ...more })
  await questionsOf(store).ask(question, askedEvent())
  return question
}

/** A pending question, as it is stored. */
export function aQuestion(tenant: string, more: Partial<StoredQuestion> = {}): StoredQuestion {
  return {
    id: createId('qst'),
    tenant,
    callId: createId('call'),
    title: 'How much? nul \u0000 and \ud800 alone',
    schema: { type: 'object', properties: { amount: { type: 'number' } } },
    to: ['role:operator'],
    people: ['role:operator', 'by:user:ada'],
    askedBy: { principal: ada },
    createdMs: noon,
    expiresMs: noon + 24 * hour,
    reminders: 0,
    status: 'pending',
    ...more,
  }
}

export function askedEvent(): NewEvent<'question.asked'> {
  return eventOf('question.asked', null, noon)
}

export function anEnd(more: Partial<QuestionEnd> = {}): QuestionEnd {
  return { status: 'answered', at: noon + hour, by: ada, answer: { amount: 5 }, ...more }
}

/** How the call of a question ends. */
export function settlementFor({ tenant, callId }: StoredQuestion) {
  const events = [eventOf('question.answered'), eventOf('call.completed')]
  return settlementOf(startOf(tenant, { callId }), { output: { amount: 5 }, events })
}
