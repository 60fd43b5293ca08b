import type { ChangeAlong, Settlement } from '../../core/call-log.ts'
import type { EventEntry, NewEvent } from '../../core/events/event.ts'
import type { Page } from '../../core/kernel/page.ts'
import type { Addressees } from './addressees.ts'
import type { QuestionEnd, QuestionStatus, StoredQuestion } from './model.ts'

export interface QuestionQuery {
  status?: QuestionStatus | undefined
  /** Only questions of one of these people; see `addressees.ts`. */
  people?: readonly string[] | undefined
  order?: 'newest' | 'oldest' | undefined
  after?: string | undefined
  limit: number
}

/** Changes of calls that a question goes along with. */
export interface QuestionCalls {
  settleAlong(settlement: Settlement, along: ChangeAlong): Promise<boolean>
  appendAlong(
    call: Pick<StoredQuestion, 'tenant' | 'callId'>,
    events: readonly NewEvent[],
    along: ChangeAlong,
  ): Promise<boolean>
}

/**
 * Questions. Everything that happens to one is written together with its call, and a question whose
 * call ends in another way is withdrawn by that. All lookups use both the tenant and the id.
 */
export interface QuestionStore {
  /** Stores the question of a call, once. False when the call has one already or has ended. */
  ask(question: StoredQuestion, told: NewEvent<'question.asked'>): Promise<boolean>
  find(tenant: string, id: string): Promise<StoredQuestion | undefined>
  findOfCall(tenant: string, callId: string): Promise<StoredQuestion | undefined>
  list(tenant: string, query: QuestionQuery): Promise<Page<StoredQuestion>>
  /** Ends a pending question and its call. False when either had ended. */
  end(question: StoredQuestion, end: QuestionEnd, settlement: Settlement): Promise<boolean>
  /** False when it was not pending any more. */
  reassign(question: StoredQuestion, to: Addressees, told: NewEvent): Promise<boolean>
  /** Counts a reminder. Of several nodes that try, one gets true. */
  remind(question: StoredQuestion, nextMs: number | undefined, told: NewEvent): Promise<boolean>
  /** Pending questions of all tenants that have expired or need a reminder, the oldest first. */
  listDue(nowMs: number, limit: number): Promise<StoredQuestion[]>
  /** Records the events of questions that were withdrawn; returns how many. */
  tellWithdrawn(toEvent: (question: StoredQuestion) => EventEntry, limit: number): Promise<number>
}
