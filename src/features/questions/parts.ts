import type { CallLog } from '../../core/call-log.ts'
import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { holds } from '../../core/operations/require-permission.ts'
import type { PipelinePorts } from '../../core/pipeline/ports.ts'
import type { SecretVault } from '../../core/vault-ports.ts'
import { type AddresseeParts, askerKeysOf, keysOf } from './addressees.ts'
import { type Question, type StoredQuestion, toQuestion } from './model.ts'
import type { QuestionStore } from './question-store.ts'

/** The dependencies of everything that is done with questions. */
export interface QuestionParts
  extends
    AddresseeParts,
    Pick<
      PipelinePorts,
      'registry' | 'artifacts' | 'uploads' | 'limits' | 'work' | 'onSettled' | 'now'
    > {
  questions: QuestionStore
  calls: Pick<CallLog, 'findWithInput' | 'find'>
  secrets: Pick<SecretVault, 'read' | 'list'>
  onWarning(message: string): void
}

/** Everything that callers may do with questions that are not put to them. */
export const manages = 'approvals.decide'

/** A question with what this caller may do. */
export interface SeenQuestion {
  question: StoredQuestion
  isAddressed: boolean
}

/** A question that the caller may see. Foreign, hidden and missing ids get the same answer. */
export async function findSeen(
  parts: Pick<QuestionParts, 'questions' | 'roles'>,
  caller: Caller,
  id: string,
): Promise<SeenQuestion> {
  const question = await parts.questions.find(caller.tenant, id)
  if (question === undefined) throw questionNotFound(id)
  if (!isSeen(question, caller, parts)) throw questionNotFound(id)
  return { question, isAddressed: isAmong(question, keysOf(caller, parts.roles)) }
}

/** The people asked, the caller of the question and approvers see it. */
export function isSeen(
  question: StoredQuestion,
  caller: Caller,
  { roles }: Pick<QuestionParts, 'roles'>,
): boolean {
  if (isAmong(question, [...keysOf(caller, roles), ...askerKeysOf(caller)])) return true
  return holds(caller, manages)
}

/** As `findSeen`, for people who want to answer. */
export async function findAddressed(
  parts: Pick<QuestionParts, 'questions' | 'roles'>,
  caller: Caller,
  id: string,
): Promise<StoredQuestion> {
  const { question, isAddressed } = await findSeen(parts, caller, id)
  if (isAddressed) return question
  throw new ToolError('forbidden', `The question is for ${question.to.join(', ')}`, {
    fix: holds(caller, manages)
      ? 'Reassign it to yourself first: toolcrib questions reassign.'
      : 'Ask one of them.',
  })
}

/** As the caller sees it. */
export function show(
  question: StoredQuestion,
  caller: Caller,
  { roles }: Pick<QuestionParts, 'roles'>,
): Question {
  return toQuestion(question, isAmong(question, keysOf(caller, roles)))
}

function isAmong({ people }: StoredQuestion, keys: readonly string[]): boolean {
  return people.some((person) => keys.includes(person))
}

function questionNotFound(id: string): ToolError {
  return new ToolError('not_found', `There is no question ${JSON.stringify(id.slice(0, 100))}`, {
    fix: 'toolcrib questions lists those that wait for you.',
  })
}
